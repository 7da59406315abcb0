import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { voicedSound } from '@parlando/test-support/audio/voiced-sound'
import { makeCertificate } from '@parlando/test-support/certificate'
import { chatEvent, doneEvent, stopEvent } from '@parlando/test-support/chat-events'
import {
  createFakeRecogniser,
  type FakeRecogniser,
} from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { startTestServer } from '@parlando/test-support/test-server'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readModelAliases } from '../../packages/local-service/src/api/model-aliases.ts'

const testApp = useTestApp()

/** What the language model says to what the user says. `light` calls a tool, whose result it then repeats. */
const responses: Readonly<Record<string, string>> = {
  hello: 'Hello.',
  'the light is on': 'It is on.',
  count: `${'One two three four five six seven eight nine. '.repeat(4)}`,
  stop: 'Good.',
  bye: 'Bye.',
}

function respond(response: ServerResponse, _request: IncomingMessage, bytes: Uint8Array): void {
  const { messages } = JSON.parse(Buffer.from(bytes).toString() || '{}')
  const said: string = messages?.at(-1)?.content ?? ''
  const call = { index: 0, id: 'call_1', function: { name: 'light', arguments: '{"state":"on"}' } }
  const delta = said === 'light' ? { tool_calls: [call] } : { content: responses[said] ?? '?' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(chatEvent(delta) + stopEvent + doneEvent)
}

/** A service with a language model and a recogniser that understands what the test says. */
async function open(): Promise<{ port: number; recogniser: FakeRecogniser; asked: () => unknown }> {
  const recogniser = createFakeRecogniser()
  const upstream = await startTestServer(respond)
  const app = createTestApp(
    testApp.flite,
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

/** A voice, then the silence that ends the turn. The detector needs a moment to learn the background. */
const turnPieces = [
  new Int16Array(24_000 * 0.3),
  voicedSound({ seconds: 0.6, sampleRateHertz: 24_000 }),
  new Int16Array(24_000 * 0.7),
].flatMap((samples) => {
  const bytes = Buffer.from(samples.buffer)
  const count = bytes.length / 4800
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * 4800, (index + 1) * 4800),
  )
})

/** A listener behind TLS: the client of the OpenAI API connects to nothing else. */
async function openTlsDoor(port: number): Promise<number> {
  const { key, cert } = makeCertificate()
  const server = createServer({ key, cert }, (socket) => {
    const inner = connect(port, '127.0.0.1')
    for (const end of [socket, inner]) end.on('error', () => {})
    socket.pipe(inner).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** What the language model reads before its last response. */
const conversation = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'light' },
  { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
  { role: 'tool', tool_call_id: 'call_1', content: 'the light is on' },
  { role: 'assistant', content: 'It is on.' },
  { role: 'user', content: 'count' },
  { role: 'assistant', content: expect.stringMatching(/^One/) },
  { role: 'user', content: 'stop' },
  { role: 'assistant', content: 'Good.' },
  { role: 'user', content: 'bye' },
]

interface Conversation {
  /** Says something. Each turn ends with a response. */
  say(): void
  /** How many responses have ended. */
  ended(): number
  /** Whether sound arrives. */
  isSpeaking(): boolean
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(5)
}

/** Five turns: a greeting, a tool, a long response, its interruption, a farewell. */
async function converse(
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

describe('the client of the OpenAI API', () => {
  it('holds a conversation of five turns with a tool and an interruption', async () => {
    const { port, recogniser, asked } = await open()
    const tlsPort = await openTlsDoor(port)
    const client = new OpenAI({ apiKey: 'any', baseURL: `https://127.0.0.1:${tlsPort}/v1` })
    const socket = new OpenAIRealtimeWS(
      { model: 'gpt-realtime', options: { rejectUnauthorized: false } },
      client,
    )
    onTestFinished(() => socket.close())
    const errors: unknown[] = []
    const texts: string[] = []
    let ended = 0
    let deltas = 0
    socket.on('error', (error) => errors.push(error))
    await once(socket.socket, 'open')
    socket.on('response.output_audio.delta', () => deltas++)
    socket.on('response.output_audio_transcript.done', ({ transcript }) => texts.push(transcript))
    socket.on('response.done', () => {
      ended++
      deltas = 0
    })
    socket.on('response.function_call_arguments.done', ({ call_id }) => {
      const item = { type: 'function_call_output', call_id, output: 'the light is on' } as const
      socket.send({ type: 'conversation.item.create', item })
    })
    socket.on('response.done', ({ response }) => {
      if (response.output?.at(-1)?.type === 'function_call')
        socket.send({ type: 'response.create' })
    })
    const tools = [{ type: 'function' as const, name: 'light' }]
    socket.send({ type: 'session.update', session: { type: 'realtime', tools } })
    await converse(
      {
        say() {
          for (const piece of turnPieces) {
            socket.send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') })
          }
        },
        ended: () => ended,
        isSpeaking: () => deltas > 0 && ended === 3,
      },
      recogniser,
    )
    expect(errors).toEqual([])
    expect(texts).toEqual(['Hello.', 'It is on.', expect.stringMatching(/^One/), 'Good.', 'Bye.'])
    expect(texts[2]!.length).toBeLessThan(responses['count']!.length / 2)
    expect(asked()).toMatchObject(conversation)
  })
})

/** The package of the client needs Node 22. */
const hasAgents = Number(process.versions.node.split('.')[0]) >= 22

if (hasAgents) {
  it('the client of OpenAI Agents holds a conversation of five turns with a tool and an interruption', async () => {
    const { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } = await import(
      '@openai/agents-realtime'
    )
    const { port, recogniser, asked } = await open()
    const light = tool({
      name: 'light',
      description: 'Switches the light',
      parameters: {
        type: 'object',
        properties: { state: { type: 'string' } },
        required: ['state'],
        additionalProperties: true,
      },
      strict: false,
      execute: async () => 'the light is on',
    })
    const agent = new RealtimeAgent({ name: 'A', instructions: 'Be short', tools: [light] })
    const url = `ws://127.0.0.1:${port}/v1/realtime?model=gpt-realtime`
    const transport = new OpenAIRealtimeWebSocket({ url })
    const session = new RealtimeSession(agent, { transport, model: 'gpt-realtime' })
    onTestFinished(() => session.close())
    const errors: unknown[] = []
    const types: string[] = []
    let ended = 0
    let deltas = 0
    session.on('error', (error) => errors.push(error))
    transport.on('*', ({ type }: { type: string }) => {
      types.push(type)
      if (type !== 'response.done') return
      ended++
      deltas = 0
    })
    let interruptions = 0
    session.on('audio', () => deltas++)
    session.on('audio_interrupted', () => interruptions++)
    await session.connect({ apiKey: 'any' })
    await until(() => types.includes('session.updated'))
    await converse(
      {
        say() {
          for (const piece of turnPieces) {
            session.sendAudio(new Uint8Array(piece).buffer)
          }
        },
        ended: () => ended,
        isSpeaking: () => deltas > 0 && ended === 3,
      },
      recogniser,
    )
    expect(errors).toEqual([])
    expect(interruptions).toBeGreaterThan(0)
    expect(asked()).toEqual(
      expect.arrayContaining(conversation.filter(({ role }) => role !== 'assistant')),
    )
    const spoken = session.history.flatMap((item) =>
      item.type === 'message' && item.role === 'assistant' ? [JSON.stringify(item.content)] : [],
    )
    const interrupted = spoken.find((content) => content.includes('One'))!
    expect(interrupted.length).toBeLessThan(responses['count']!.length / 2)
    expect(spoken.at(-1)).toContain('Bye.')
  })
}
