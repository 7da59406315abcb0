import {
  createFakeWakeWordDetector,
  fakeWakeWord,
} from '@parlando/test-support/local-service/fake-wake-word-detector'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningEngine } from '../../../packages/local-service/src/engines/engine-registry.ts'
import {
  type ListeningServer,
  openServer,
} from '../../../packages/local-service/src/server/http-server.ts'
import { fuzz } from '../cases.ts'
import { anyMessage, converse, expectOutcome, toText } from '../setups/message-sockets.ts'

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

const message = anyMessage(good)
/** Valid messages in order, with others after them. */
const stream = fc
  .tuple(fc.boolean(), fc.array(message, { maxLength: 8 }))
  .map(([startsWell, others]) => (startsWell ? [toText(config), ...others] : others))

const send = (texts: readonly string[]) =>
  converse(
    server.baseUrl,
    '/stt/v1/wakeWords:streamBidirectional',
    texts.map((text) => [text, false]),
  )

const resultAt = (index: number) => (index === 0 ? 'waiting' : 'detection')

it('a microphone that sends any messages gets results or one error, and its stream ends', async () => {
  await fuzz(stream, async (messages) => expectOutcome(await send(messages), resultAt), {
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
