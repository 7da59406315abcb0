import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { readModelAliases } from '../../../local-service/src/requests/model-names.ts'
import { voicedSound } from '../audio/computed-sounds.ts'
import { chatEvent, doneEvent, stopEvent } from '../servers/chat-events.ts'
import { startTestServer } from '../servers/test-server.ts'
import { createFakeRecogniser, type FakeRecogniser } from './fake-recogniser.ts'
import { openTestServer } from './open-server.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** What the language model says to what the user says. `light` calls a tool, whose result it then repeats. */
export const responses: Readonly<Record<string, string>> = {
  hello: 'Hello.',
  'the light is on': 'It is on.',
  count: `${'One two three four five six seven eight nine. '.repeat(4)}`,
  stop: 'Good.',
  bye: 'Bye.',
}

function respond(response: ServerResponse, _request: IncomingMessage, bytes: Uint8Array): void {
  const { messages } = JSON.parse(Buffer.from(bytes).toString() || '{}')
  // Some clients send the result of a tool as JSON.
  const said = String(messages?.at(-1)?.content ?? '').replaceAll('"', '')
  const call = { index: 0, id: 'call_1', function: { name: 'light', arguments: '{"state":"on"}' } }
  const delta = said === 'light' ? { tool_calls: [call] } : { content: responses[said] ?? '?' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(chatEvent(delta) + stopEvent + doneEvent)
}

/** A service with a language model and a recogniser that understands what the test says. */
export interface TalkingService {
  port: number
  recogniser: FakeRecogniser
  /** The messages that the language model has read last. */
  asked(): unknown
}

export async function openForTurns({ flite }: Pick<TestApp, 'flite'>): Promise<TalkingService> {
  const recogniser = createFakeRecogniser()
  const upstream = await startTestServer(respond)
  const app = createTestApp(
    flite,
    (error) => {
      throw error
    },
    undefined,
    {
      recognisers: new Map([['fake', recogniser]]),
      modelAliases: readModelAliases([], { strict: false }),
      chatUpstream: { baseUrl: `${upstream.baseUrl}/v1` },
    },
  )
  const { baseUrl } = await openTestServer({ fetch: app.fetch })
  const chats = () => upstream.requests.filter(({ method }) => method === 'POST')
  return {
    port: Number(new URL(baseUrl).port),
    recogniser,
    asked: () => Object(chats().at(-1)?.body).messages,
  }
}

/** A voice. The detector needs a moment to learn the background. */
export const voicePieces = toPieces(
  new Int16Array(24_000 * 0.3),
  voicedSound({ seconds: 0.6, sampleRateHertz: 24_000 }),
)
/** The silence that ends a turn. */
export const silencePieces = toPieces(new Int16Array(24_000 * 0.7))
export const turnPieces = [...voicePieces, ...silencePieces]

/** Pieces of 100 ms. */
function toPieces(...sounds: Int16Array[]): Buffer[] {
  const bytes = Buffer.concat(sounds.map(({ buffer }) => Buffer.from(buffer)))
  return Array.from({ length: bytes.length / 4800 }, (_, index) =>
    bytes.subarray(index * 4800, (index + 1) * 4800),
  )
}

/** What the language model reads before its last response. */
export const conversation = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'light' },
  { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
  { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('the light is on') },
  { role: 'assistant', content: 'It is on.' },
  { role: 'user', content: 'count' },
  { role: 'assistant', content: expect.stringMatching(/^One/) },
  { role: 'user', content: 'stop' },
  { role: 'assistant', content: 'Good.' },
  { role: 'user', content: 'bye' },
]

export interface Conversation {
  /** Says something. Each turn ends with a response. */
  say(): void
  /** How many responses have ended. */
  ended(): number
  /** Whether sound arrives. */
  isSpeaking(): boolean
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(5)
}

/** Five turns: a greeting, a tool, a long response, its interruption, a farewell. */
export async function converse(
  { say, ended, isSpeaking }: Conversation,
  recogniser: FakeRecogniser,
): Promise<void> {
  const turn = async (text: string, responsesToCome: number) => {
    const before = ended()
    recogniser.utterance = { text }
    say()
    await until(() => ended() >= before + responsesToCome)
  }
  await turn('hello', 1)
  await turn('light', 2)
  recogniser.utterance = { text: 'count' }
  say()
  await until(isSpeaking)
  await wait(600)
  // The long response ends early, and the next one follows.
  await turn('stop', 2)
  await turn('bye', 1)
}
