import type { Hono } from 'hono'
import { afterAll, beforeAll, expect } from 'vitest'
import { createApp } from './app.ts'
import type { Engine } from './engines/engine.ts'
import { createFliteEngine } from './engines/flite/flite-engine.ts'
import type { RunningEngine } from './engines/registry.ts'
import { createScheduler } from './speech/scheduler.ts'
import { createCatalogue } from './voices/catalogue.ts'

export const speech = { text: 'The laundry is done.', voiceId: 'Clara', modelId: 'svc-tts-2' }

/** The service without a socket and with the real voices, for the tests of one file. */
export interface TestApp {
  app: Hono
  flite: RunningEngine
  post(path: string, body: unknown): Promise<Response>
}

/** Starts the service before the tests of the file; at the end nothing may have failed inside it. */
export function useTestApp(): TestApp {
  const used = {} as TestApp
  const failures: unknown[] = []
  beforeAll(async () => {
    const engine = await createFliteEngine()
    used.flite = { engine, scheduler: createScheduler(1) }
    used.app = createTestApp(used.flite, (error) => failures.push(error))
    used.post = (path, body) => post(used.app, path, body)
  })
  afterAll(async () => {
    await used.flite.engine.close()
    expect(failures).toEqual([])
  })
  return used
}

export function createTestApp(flite: RunningEngine, onFailure: (error: unknown) => void): Hono {
  return createApp({
    engines: new Map([['flite', flite]]),
    catalogue: createCatalogue(),
    onFailure,
  })
}

export async function post(app: Hono, path: string, body: unknown): Promise<Response> {
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
    withWords: false,
    signal: new AbortController().signal,
    onSound: ({ samples }) => pieces.push(new Uint8Array(samples.slice().buffer)),
  })
  return Buffer.concat(pieces)
}
