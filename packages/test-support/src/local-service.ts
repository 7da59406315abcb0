import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { createApp } from '../../local-service/src/api/app.ts'
import { createEncoderPool } from '../../local-service/src/encoding/encoder-pool.ts'
import type { Engine } from '../../local-service/src/engines/engine.ts'
import { createFliteEngine } from '../../local-service/src/engines/flite/flite-engine.ts'
import type { RunningEngine } from '../../local-service/src/engines/registry.ts'
import { createScheduler } from '../../local-service/src/engines/scheduler.ts'
import { type Catalogue, createCatalogue } from '../../local-service/src/voices/catalogue.ts'
import { envelopeBands, type VoiceProfile } from '../../local-service/src/voices/profile.ts'
import type { SpeakingVoice } from '../../local-service/src/voices/voice.ts'

/** The folder of the optional packages that users may install. */
export const optionalEngines = fileURLToPath(new URL('../../../test/optional', import.meta.url))

export const speech = { text: 'The laundry is done.', voiceId: 'Clara', modelId: 'svc-tts-2' }

/** The service without a socket and with the real voices, for the tests of one file. */
export interface TestApp {
  app: ReturnType<typeof createApp>
  flite: RunningEngine
  catalogue: Catalogue
  post(path: string, body: unknown): Promise<Response>
}

/** Starts the service before the tests of the file; afterwards it must not have logged a failure. */
export function useTestApp(): TestApp {
  const used = {} as TestApp
  const failures: unknown[] = []
  beforeAll(async () => {
    const engine = await createFliteEngine({ warmUp: false })
    used.flite = { engine, scheduler: createScheduler(1) }
    used.catalogue = createCatalogue()
    used.app = createTestApp(used.flite, (error) => failures.push(error), used.catalogue)
    used.post = (path, body) => post(used.app, path, body)
  })
  afterAll(async () => {
    await used.flite.engine.close()
    expect(failures).toEqual([])
  })
  return used
}

export function createTestApp(
  flite: RunningEngine,
  onFailure: (error: unknown) => void,
  catalogue = createCatalogue(),
): ReturnType<typeof createApp> {
  return createApp({
    engines: new Map([['flite', flite]]),
    encoders: createEncoderPool(),
    catalogue,
    onFailure,
  })
}

const imprint: VoiceProfile = {
  version: 1,
  pitch: { medianHertz: 110, rangeSemitones: 6.5 },
  envelopeDecibels: Array.from({ length: envelopeBands }, (_, band) => 10 - band / 6.4),
  formantsHertz: [500, 1500, 2500, 3500],
  syllablesPerSecond: 4.2,
  level: 0.1,
}

/** A cloned voice as the store keeps it. */
export function makeClone(name: string, texts: object = {}): SpeakingVoice {
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

/** Speaks one phrase to its end. */
export async function speakWhole(engine: Engine, voice: string, text: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await engine.speakPhrase({
    voice,
    text,
    modelId: speech.modelId,
    withWords: false,
    signal: new AbortController().signal,
    onSound: ({ samples }) => pieces.push(new Uint8Array(samples.slice().buffer)),
  })
  return Buffer.concat(pieces)
}

/** Speaks one phrase to its end, as samples. */
export async function speakSamples(
  engine: Engine,
  voice: string,
  text: string,
): Promise<Float32Array> {
  const bytes = await speakWhole(engine, voice, text)
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}
