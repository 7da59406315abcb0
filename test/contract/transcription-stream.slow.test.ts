import {
  type ClientOptions,
  createClient,
  type TranscriptionEvent,
  type TranscriptionStream,
  type TranscriptionStreamConfig,
} from '@parlando/core'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import {
  createFakeRecogniser,
  type FakeRecogniser,
} from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AppOptions } from '../../packages/local-service/src/api/app/app.ts'
import type { RunningEngine } from '../../packages/local-service/src/engines/engine-registry.ts'
import type { ServerOptions } from '../../packages/local-service/src/server/http-server.ts'

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)
const silence = bytesOf(new Int16Array(16_000))
const voice = bytesOf(voicedSound({ seconds: 1 }))
const manual: TranscriptionStreamConfig = { endOfTurn: { vadThreshold: 0 } }

let recogniser: FakeRecogniser
let failures: unknown[]
beforeEach(() => {
  recogniser = createFakeRecogniser()
  failures = []
})
afterEach(() => expect(failures).toEqual([]))

async function start(
  serviceOptions: Partial<AppOptions> & Partial<ServerOptions> = {},
  clientOptions: Partial<ClientOptions> = {},
) {
  const app = createTestApp({} as RunningEngine, (error) => failures.push(error), undefined, {
    recognisers: new Map([['fake', recogniser]]),
    ...serviceOptions,
  })
  const service = await openTestServer({ fetch: app.fetch, ...serviceOptions })
  const client = createClient({ baseUrl: service.baseUrl, maxRetries: 0, ...clientOptions })
  onTestFinished(() => client.close())
  return { service, client }
}

async function collect(stream: TranscriptionStream): Promise<TranscriptionEvent[]> {
  const events: TranscriptionEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('a transcription stream of the local service', () => {
  it('has the turns, the interim and final transcripts, and the usage', async () => {
    const { client } = await start()
    const stream = client.transcribeStream()
    for (const sound of [silence, voice, silence]) await stream.write(sound)
    stream.end()
    const events = await collect(stream)
    expect(events.filter(({ type }) => type !== 'interim')).toEqual([
      { type: 'speechStarted', startMs: 600 },
      { type: 'speechStopped', silenceMs: expect.any(Number) },
      { type: 'final', text: expect.stringMatching(/^(1[89]|20)\d\d ms$/) },
      { type: 'usage', transcribedAudioMs: 3000, modelId: 'fake/model' },
    ])
    expect(events).toContainEqual({ type: 'interim', text: expect.any(String) })
    expect(recogniser.running).toBe(0)
  })

  it('passes on the settings, the words and the match', async () => {
    const words = [{ text: 'lights', startSeconds: 0.1, endSeconds: 0.4, confidence: 0.9 }]
    const sentenceMatch = { sentence: null, nearest: ['lights on'], reason: 'different' } as const
    recogniser.utterance = { text: 'lights', confidence: 0.8, words, sentenceMatch }
    const { client } = await start()
    const settings = { language: 'en-GB', prompts: ['Clara'], sentences: ['lights on'] }
    const stream = client.transcribeStream({ ...manual, ...settings, wordTimestamps: true })
    await stream.write(silence)
    stream.endTurn()
    await stream.write(voice)
    stream.end()
    const finals = (await collect(stream)).filter(({ type }) => type === 'final')
    expect(finals).toEqual([
      { type: 'final', text: 'lights', confidence: 0.8, words, sentenceMatch },
      {
        type: 'final',
        text: 'lights',
        confidence: 0.8,
        words: [{ text: 'lights', startSeconds: 1.1, endSeconds: 1.4, confidence: 0.9 }],
        sentenceMatch,
      },
    ])
    expect(recogniser.requests).toMatchObject([settings, settings])
  })

  it('takes ten minutes that are written at once, cut at any byte', async () => {
    const { client } = await start()
    const stream = client.transcribeStream(manual)
    const minute = new Uint8Array(60 * 32_000)
    const write = async () => {
      for (let minutes = 0; minutes < 10; minutes++) {
        await stream.write(minute.subarray(0, 77_777))
        await stream.write(minute.subarray(77_777))
      }
      stream.end()
    }
    const writing = write()
    expect((await collect(stream)).at(-1)).toMatchObject({ transcribedAudioMs: 600_000 })
    await writing
  })

  it('names the command that installs a recogniser', async () => {
    const { client } = await start({ recognisers: new Map() })
    const error = await failureOf(collect(client.transcribeStream()))
    expect(error).toMatchObject({ code: 'UNIMPLEMENTED', retryable: false })
    expect(error.message).toContain('sudo apt install pocketsphinx')
  })

  it('needs the key', async () => {
    const { service, client } = await start({ apiKey: keys.service }, { apiKey: keys.service })
    const stream = client.transcribeStream()
    stream.end()
    expect(await collect(stream)).toMatchObject([{ type: 'usage' }])
    const stranger = createClient({ baseUrl: service.baseUrl, apiKey: keys.wrong })
    const error = await failureOf(collect(stranger.transcribeStream()))
    expect(error).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
    expect(error.message).toContain('key is missing or wrong')
  })

  it('is rejected above the limit of sockets, and accepted when another has closed', async () => {
    const { client } = await start({ maxSockets: 1 })
    const first = client.transcribeStream()
    await first.write(silence)
    const error = await failureOf(collect(client.transcribeStream()))
    expect(error).toMatchObject({ code: 'RESOURCE_EXHAUSTED', retryable: true, retryAfterMs: 5000 })
    first.end()
    await collect(first)
    const second = client.transcribeStream()
    second.end()
    expect(await collect(second)).toMatchObject([{ type: 'usage' }])
  })

  it('reports a model that the service does not have', async () => {
    const { client } = await start()
    const stream = client.transcribeStream({ modelId: 'nobody' })
    expect(await failureOf(collect(stream))).toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })

  it('ends with the transcript and an error when the service stops', async () => {
    const { service, client } = await start()
    const stream = client.transcribeStream(manual)
    await stream.write(silence)
    await expect.poll(() => recogniser.running).toBe(1)
    const events: TranscriptionEvent[] = []
    const read = async () => {
      for await (const event of stream) events.push(event)
    }
    const reading = failureOf(read())
    await service.drain(2000)
    expect(await reading).toMatchObject({ code: 'CONNECTION_LOST', retryable: true })
    expect(events.filter(({ type }) => type === 'final')).toHaveLength(1)
  })

  it.each(['abort', 'close', 'break'])('stops the recogniser after %s', async (way) => {
    const { client } = await start()
    const aborting = new AbortController()
    const stream = client.transcribeStream(manual, { signal: aborting.signal })
    await stream.write(silence)
    await expect.poll(() => recogniser.running).toBe(1)
    if (way === 'abort') aborting.abort()
    if (way === 'close') await stream.close()
    if (way === 'break') for await (const _ of stream) break
    await expect.poll(() => recogniser.running).toBe(0)
  })
})
