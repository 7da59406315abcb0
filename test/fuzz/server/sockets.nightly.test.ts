import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
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
import {
  anyMessage,
  converse,
  expectOutcome,
  type SentMessage,
  toText,
} from '../setups/message-sockets.ts'

const recogniser = createFakeRecogniser()
const failures: unknown[] = []
let server: ListeningServer
beforeAll(async () => {
  const app = createTestApp({} as RunningEngine, (error) => failures.push(error), undefined, {
    recognisers: new Map([['fake', recogniser]]),
    apiKey: keys.service,
  })
  server = await openServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const config = {
  transcribeConfig: {
    modelId: 'svc/svc-stt-1',
    audioEncoding: 'LINEAR16',
    language: 'en-US',
    sampleRateHertz: 16_000,
    numberOfChannels: 1,
    includeWordTimestamps: true,
    prompts: ['Clara'],
    sentences: ['turn on the light'],
    inactivityTimeoutSeconds: 1,
    maxTurnSilence: 300,
    vadThreshold: 0,
  },
}
/** The same in snake_case, with a turn that the service ends. */
const snakeConfig = {
  transcribe_config: {
    model_id: 'svc/svc-stt-1',
    audio_encoding: 'AUTO_DETECT',
    sample_rate_hertz: 8000,
    number_of_channels: 2,
    sentences: ['open the door', 'close the door'],
    inactivity_timeout_seconds: 1,
    vad_threshold: 0.5,
  },
}
const audio = (bytes: number) => ({
  audioChunk: { content: Buffer.alloc(bytes, 7).toString('base64') },
})
const good = [
  config,
  snakeConfig,
  audio(3200),
  audio(777),
  audio(0),
  { audio_chunk: audio(640).audioChunk },
  { endTurn: {} },
  { end_turn: {} },
  { closeStream: {} },
]

const message = anyMessage(good)
const isBinary = fc.integer({ min: 0, max: 40 }).map((number) => number === 0)
/** Valid messages in order, with others between them. */
const conversation = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(message, isBinary), { maxLength: 8 }))
  .map(([startsWell, others]) =>
    startsWell ? [[toText(config), false] as const, ...others] : others,
  )

const send = (messages: readonly SentMessage[]) =>
  converse(server.baseUrl, '/stt/v1/transcribe:streamBidirectional', messages)
const resultNamed = () =>
  expect.stringMatching(/^(transcription|speechStarted|speechStopped|usage)$/)

it('a stream of any messages gets results or one error, and ends', async () => {
  await fuzz(conversation, async (messages) => expectOutcome(await send(messages), resultNamed), {
    lanes: 6,
    share: 0.2,
    eventsOf: (messages) => messages.length,
  })
  expect(failures).toEqual([])
  await expect.poll(() => recogniser.running).toBe(0)
  const { received, code } = await send([
    [toText(config), false],
    [toText(audio(3200)), false],
  ])
  expect(code).toBe(1000)
  expect(received.at(-2)).toContain('"760 ms"')
})
