import { keys } from '@parlando/test-support/keys'
import {
  createFakeWakeWordDetector,
  fakeWakeWord,
} from '@parlando/test-support/local-service/fake-wake-word-detector'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { RunningEngine } from '../../packages/local-service/src/engines/engine-registry.ts'
import {
  type ListeningServer,
  openServer,
} from '../../packages/local-service/src/server/http-server.ts'
import { damaged } from './bytes.ts'
import { fuzz } from './cases.ts'
import { anyJson, mutated } from './json.ts'

const detector = createFakeWakeWordDetector()
const failures: unknown[] = []
let server: ListeningServer
beforeAll(async () => {
  const app = createTestApp({} as RunningEngine, (error) => failures.push(error), undefined, {
    wakeWords: new Map([['fake', detector]]),
    apiKey: keys.service,
  })
  server = await openServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const config = {
  wakeWordConfig: {
    modelId: 'fake/model',
    phrases: ['hey house', 'good morning'],
    sensitivity: 0.5,
    inactivityTimeoutSeconds: 1,
  },
}
const word = Buffer.from(fakeWakeWord().buffer).toString('base64')
const good = [
  config,
  { wake_word_config: { phrases: ['hey house'], inactivity_timeout_seconds: 1 } },
  { audioChunk: { content: word } },
  { audio_chunk: { content: Buffer.alloc(777).toString('base64') } },
  { audioChunk: { content: '' } },
  { closeStream: {} },
]

const toText = (value: unknown) => JSON.stringify(value) ?? ''
const message = fc
  .constantFrom<object>(...good)
  .chain((valid) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(valid).map(toText) },
      { weight: 2, arbitrary: mutated(valid, 1).map(toText) },
      { weight: 2, arbitrary: damaged(toText(valid), 1) },
      { weight: 1, arbitrary: anyJson.map(toText) },
    ),
  )
/** Valid messages in order, with others after them. */
const stream = fc
  .tuple(fc.boolean(), fc.array(message, { maxLength: 8 }))
  .map(([startsWell, others]) => (startsWell ? [toText(config), ...others] : others))

interface Outcome {
  received: string[]
  code: number
}

/** Sends all messages and ends the stream. */
async function send(messages: readonly string[]): Promise<Outcome> {
  const url = `${server.baseUrl.replace('http', 'ws')}/stt/v1/wakeWords:streamBidirectional`
  const headers = { authorization: `Basic ${keys.service}` }
  const webSocket = new WebSocket(url, { headers })
  const received: string[] = []
  webSocket.on('message', (data) => received.push(String(data)))
  webSocket.on('error', () => {})
  webSocket.once('open', () => {
    for (const text of messages) webSocket.send(Buffer.from(text, 'latin1'), { binary: false })
    webSocket.send('{"closeStream":{}}')
  })
  const code = await new Promise<number>((resolve) => webSocket.once('close', resolve))
  return { received, code }
}

function expectOutcome({ received, code }: Outcome): void {
  for (const [index, text] of received.entries()) {
    expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
    expect(text).not.toContain(keys.service)
    const { result, error } = JSON.parse(text)
    if (result) {
      expect(Object.keys(result)).toEqual([index === 0 ? 'waiting' : 'detection'])
      continue
    }
    expect(index).toBe(received.length - 1)
    expect(error).toMatchObject({ code: expect.any(Number), details: [] })
    expect(error.message).toMatch(/^.{5,2000}$/su)
    expect(code).toBe(1008)
  }
  // 1007: text that is not UTF-8, which the library rejects.
  expect([1000, 1007, 1008]).toContain(code)
}

it('a microphone that sends any messages gets results or one error, and its stream ends', async () => {
  await fuzz(stream, async (messages) => expectOutcome(await send(messages)), {
    lanes: 6,
    share: 0.2,
    eventsOf: (messages) => messages.length,
  })
  expect(failures).toEqual([])
  await expect.poll(() => detector.running).toBe(0)
  const { received, code } = await send([toText(config), toText({ audioChunk: { content: word } })])
  expect(code).toBe(1000)
  expect(received.at(-1)).toContain('"phrase":"hey house"')
})
