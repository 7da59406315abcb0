import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type ListeningServer,
  openServer,
} from '../../../packages/local-service/src/server/http-server.ts'
import { fuzz } from '../cases.ts'
import { damaged } from '../inputs/bytes.ts'
import { anyJson, mutated } from '../inputs/json.ts'

const running = createFakeEngine()
const failures: unknown[] = []
let server: ListeningServer
beforeAll(async () => {
  const onFailure = (error: unknown) => failures.push(error)
  const app = createTestApp(running, onFailure, undefined, { apiKey: keys.service })
  server = await openServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16_000, speakingRate: 1.2 }
const settings = {
  voiceId: 'Clara',
  modelId: 'svc-tts-2-flash',
  audioConfig,
  bufferCharThreshold: 20,
  maxBufferDelayMs: 3000,
  timestampType: 'WORD',
  timestampTransportStrategy: 'ASYNC',
}
const verbs = [
  { create: settings },
  { create: { ...settings, autoMode: true, autoModeStrategy: 'SENTENCE_BOUNDARY' } },
  { create: { voice_id: 'Clara', model_id: 'svc-tts-2', audio_config: { audio_encoding: 'MP3' } } },
  { sendText: { text: 'The laundry is done. Now it is' } },
  { send_text: { text: ' dry.', flush_context: {} } },
  { sendText: { text: '' } },
  { flushContext: {} },
  { sendText: { text: 'The 猫 costs 5 €\u0000, \ud83d and 1e400 kWh.' } },
  { sendText: { text: 'and on '.repeat(2000), flushContext: {} } },
  { closeContext: {} },
  { close_context: {} },
]
const good = verbs.flatMap((verb) => [
  { ...verb, contextId: 'a' },
  { ...verb, context_id: 'b' },
  verb,
])

const message = fc
  .constantFrom<object>(...good)
  .chain((valid) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(valid).map(toText) },
      { weight: 4, arbitrary: mutated(valid, 1).map(toText) },
      { weight: 1, arbitrary: damaged(toText(valid), 1) },
      { weight: 1, arbitrary: anyJson.map(toText) },
    ),
  )
const conversation = fc.array(message, { maxLength: 12 })
const last = [{ create: settings }, { sendText: { text: 'Hi.' } }, { closeContext: {} }].map(
  (verb) => toText({ ...verb, contextId: 'last' }),
)

function toText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

interface Outcome {
  received: string[]
  code: number
}

/** Sends the messages, then those of a context of its own, and closes the socket when that context is closed. */
async function converse(messages: readonly string[]): Promise<Outcome> {
  const url = `${server.baseUrl.replace('http', 'ws')}/tts/v1/voice:streamBidirectional`
  const headers = { authorization: `Basic ${keys.service}` }
  const webSocket = new WebSocket(url, { headers })
  const received: string[] = []
  webSocket.on('message', (data) => {
    const text = String(data)
    received.push(text)
    if (text.includes('"contextId":"last","contextClosed"')) webSocket.close(1000)
  })
  webSocket.on('error', () => {})
  webSocket.once('open', () => {
    for (const text of [...messages, ...last]) {
      webSocket.send(Buffer.from(text, 'latin1'), { binary: false })
    }
  })
  const code = await new Promise<number>((resolve) => webSocket.once('close', resolve))
  return { received, code }
}

const statusSchema = {
  code: expect.any(Number),
  message: expect.stringMatching(/^.{0,2000}$/su),
  details: [],
}
const alreadyExists = 6

/** Each context begins with `contextCreated`, speaks, and ends with `contextClosed`, right after its error if it has one. */
function expectOutcome({ received, code }: Outcome): void {
  const open = new Map<string, 'open' | 'failed'>()
  for (const [index, text] of received.entries()) {
    expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
    expect(text).not.toContain(keys.service)
    const { result, error } = JSON.parse(text)
    if (error) {
      expect(error).toEqual(statusSchema)
      expect(index).toBe(received.length - 1)
      expect(code).toBe(1008)
      return
    }
    const { contextId, status, ...content } = result
    expect(status).toEqual(statusSchema)
    const [kind] = Object.keys(content)
    const state = open.get(contextId)
    if (status.code === alreadyExists) expect(state).toBe('open')
    else if (status.code !== 0) open.set(contextId, 'failed')
    else if (kind === 'contextCreated') {
      expect(state).toBeUndefined()
      open.set(contextId, 'open')
    } else if (kind === 'contextClosed') {
      expect(state).toBeDefined()
      open.delete(contextId)
    } else {
      expect(kind).toMatch(/^(audioChunk|flushCompleted)$/)
      expect(state).toBe('open')
    }
  }
  // 1007: text that is not UTF-8, which the library rejects.
  expect([1000, 1007]).toContain(code)
}

it('a speech socket of any messages speaks in order, and ends with at most one error', async () => {
  await fuzz(conversation, async (messages) => expectOutcome(await converse(messages)), {
    lanes: 6,
    share: 0.2,
    eventsOf: (messages) => messages.length,
  })
  expect(failures).toEqual([])
  await expect.poll(() => running.scheduler.running + running.scheduler.waiting).toBe(0)
  const { received, code } = await converse([])
  expect(code).toBe(1000)
  const kinds = received.map((text) => Object.keys(JSON.parse(text).result)[1])
  expect(new Set(kinds)).toEqual(
    new Set(['contextCreated', 'audioChunk', 'flushCompleted', 'contextClosed']),
  )
})
