import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { type AppOptions, createApp } from '../../../local-service/src/api/app/app.ts'
import { createEncoderPool } from '../../../local-service/src/audio/encoding/encoder-pool.ts'
import type { Engine } from '../../../local-service/src/engines/engine.ts'
import type { RunningEngine } from '../../../local-service/src/engines/engine-registry.ts'
import { createFliteEngine } from '../../../local-service/src/engines/flite/flite-engine.ts'
import { Scheduler } from '../../../local-service/src/engines/schedule/scheduler.ts'
import { envelopeBands } from '../../../local-service/src/voices/imprint/envelope-bands.ts'
import type { VoiceProfile } from '../../../local-service/src/voices/profile.ts'
import type { SpeakingVoice } from '../../../local-service/src/voices/speaking-voice.ts'
import { createVoiceList, type VoiceList } from '../../../local-service/src/voices/voice-list.ts'

/** The folder in which the optional engines are installed. */
export const optionalEnginesFolder = fileURLToPath(
  new URL('../../../../test/optional', import.meta.url),
)

export const speechRequest = {
  text: 'The laundry is done.',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
}

/** The HTTP app of the service with the real voices, without a socket. */
export interface TestApp {
  app: ReturnType<typeof createApp>
  flite: RunningEngine
  voiceList: VoiceList
  post(path: string, body: unknown): Promise<Response>
}

// The test files of a worker share one engine, since the first phrases of new threads cost the most processor time.
let sharedEngine: Promise<Engine> | undefined

/** Starts the app before the tests of a file. Afterwards, expects that it has reported no failure. */
export function useTestApp(options: Partial<AppOptions> = {}): TestApp {
  const testApp = {} as TestApp
  const failures: unknown[] = []
  beforeAll(async () => {
    sharedEngine ??= createFliteEngine()
    const engine = await sharedEngine
    testApp.flite = { engine, scheduler: new Scheduler(1) }
    testApp.voiceList = createVoiceList()
    const onFailure = (error: unknown) => failures.push(error)
    testApp.app = createTestApp(testApp.flite, onFailure, testApp.voiceList, options)
    testApp.post = (path, body) => post(testApp.app, path, body)
  })
  afterAll(() => expect(failures).toEqual([]))
  return testApp
}

export function createTestApp(
  flite: RunningEngine,
  onFailure: (error: unknown) => void,
  voiceList = createVoiceList(),
  options: Partial<AppOptions> = {},
): ReturnType<typeof createApp> {
  return createApp({
    engines: new Map([['flite', flite]]),
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList,
    onFailure,
    ...options,
  })
}

/** The HTTP app of a service with one engine, for the tests of the engine. Its failures are collected. */
export function createEngineApp(engine: Engine) {
  const engines = new Map([[engine.name, { engine, scheduler: new Scheduler(engine.slots) }]])
  const voiceList = createVoiceList(undefined, engines)
  const failures: unknown[] = []
  const app = createApp({
    engines,
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList,
    onFailure: (error) => failures.push(error),
  })
  return { app, engines, voiceList, failures }
}

const imprint: VoiceProfile = {
  version: 1,
  pitch: { medianHertz: 110, rangeSemitones: 6.5 },
  envelopeDecibels: Array.from({ length: envelopeBands }, (_, band) => 10 - band / 6.4),
  formantsHertz: [500, 1500, 2500, 3500],
  syllablesPerSecond: 4.2,
  level: 0.1,
}

/** A cloned voice in the format of the voice store. */
export function makeClonedVoice(name: string, texts: object = {}): SpeakingVoice {
  const voice = {
    voiceId: `local__${name}`,
    displayName: name,
    langCode: 'EN_US',
    source: 'IVC',
    createTime: '2026-01-02T03:04:05.678Z',
    ...texts,
  }
  return { voice, engine: 'flite', engineVoice: 'slt', imprint }
}

export async function post(
  app: ReturnType<typeof createApp>,
  path: string,
  body: unknown,
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  return app.request(path, { method: 'POST', body: text, headers })
}

/** Speaks one phrase. @returns the samples as bytes. */
export async function speakBytes(engine: Engine, voice: string, text: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  await engine.speakPhrase({
    voice,
    text,
    modelId: speechRequest.modelId,
    withWords: false,
    signal: new AbortController().signal,
    onSound: ({ samples }) => chunks.push(new Uint8Array(samples.slice().buffer)),
  })
  return Buffer.concat(chunks)
}

/** Speaks one phrase. @returns the samples. */
export async function speakSamples(
  engine: Engine,
  voice: string,
  text: string,
): Promise<Float32Array> {
  const bytes = await speakBytes(engine, voice, text)
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}
