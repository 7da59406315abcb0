import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobFiles, type JobStore, openDiskJobStore, openRedisJobStore } from '@parlando/store'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createTestApp, speechRequest } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { type Redis, startRedis } from '@parlando/test-support/programs/redis'
import { expect, onTestFinished, vi } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { readJobEntry } from '../../jobs/job.ts'
import { Jobs } from '../../jobs/jobs.ts'
import { createVoiceList } from '../../voices/voice-list.ts'

const sentences = Array.from({ length: 60 }, (_, n) => `Sentence number ${n} is not very long.`)
export const longRequest = { ...speechRequest, text: sentences.join(' ') }

interface ServiceOptions {
  flite?: ReturnType<typeof createFakeEngine>
  /** Opens the store of its jobs. */
  open?: () => Promise<JobStore>
  apiKey?: string
}

/** A service that speaks long texts, whose engine notes what it speaks. */
export async function openService(options: ServiceOptions = {}) {
  const { flite = createFakeEngine(), open = onDisk(), apiKey = '' } = options
  const spoken: string[] = []
  const { speakPhrase } = flite.engine
  flite.engine.speakPhrase = (phrase) => {
    spoken.push(phrase.text)
    return speakPhrase(phrase)
  }
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const engines = new Map([['flite', flite]])
  const voiceList = createVoiceList(undefined, engines)
  const service = { engines, voiceList, encoders: createEncoderPool() }
  const store = await open()
  const jobs = new Jobs({ store, service, onFailure, retryDelaysMs: [1, 1] })
  await jobs.start()
  onTestFinished(() => jobs.close())
  const app = createTestApp(flite, onFailure, voiceList, { jobs, ...(apiKey && { apiKey }) })
  const request = (path: string, method = 'GET') =>
    app.request(path.replace('http://localhost', ''), {
      method,
      headers: apiKey ? { authorization: `Basic ${apiKey}` } : {},
    })
  const read = async (name: string) => (await request(`/lro/v1alpha/${name}`)).json()
  return {
    app,
    jobs,
    spoken,
    failures,
    request,
    async submit(body: object, headers: Record<string, string> = {}) {
      const response = await app.request('/tts/v1/voice:synthesizeAsync', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...(apiKey && { authorization: `Basic ${apiKey}` }), ...headers },
      })
      return { status: response.status, operation: await response.json() }
    },
    read,
    ended: (name: string) =>
      expect.poll(() => read(name), { timeout: 20_000 }).toMatchObject({ done: true }),
  }
}

/** An engine that reports each phrase as one word. */
export function timingEngine() {
  const flite = createFakeEngine()
  flite.engine.speakPhrase = async ({ text, onSound }) => {
    const words = [{ text, startSeconds: 0, endSeconds: 0.01 }]
    onSound({ samples: new Float32Array(160), words })
  }
  return flite
}

/** An engine that stops before one of its phrases until it may go on. */
export function blockingEngine(atPhrase: number) {
  const flite = createFakeEngine()
  const { speakPhrase } = flite.engine
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  let phrases = 0
  flite.engine.speakPhrase = async (phrase) => {
    phrases += 1
    if (phrases === atPhrase) {
      reach()
      await opened
    }
    return speakPhrase(phrase)
  }
  return { flite, reached, open }
}

/** @returns a function that opens the jobs of a folder. */
export function onDisk(folder = temporaryFolder()) {
  return () => openDiskJobStore({ folder, readEntry: readJobEntry })
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** @returns a function that opens the jobs of a Redis, which runs until the end of the test. */
export async function inRedis() {
  const redis = await startRedis()
  onTestFinished(() => redis.close())
  return openIn(redis)
}

/** @returns a function that opens the jobs of a Redis. */
export function openIn({ url }: Redis) {
  return async () => {
    const store = await openRedisJobStore({ url })
    await vi.waitFor(() => store.totals('nobody'), 20_000)
    return store
  }
}

/** Opens a store of which the runs of jobs see other files. */
export function withFiles(
  open: () => Promise<JobStore>,
  change: (files: JobFiles) => Partial<JobFiles>,
) {
  return async (): Promise<JobStore> => {
    const store = await open()
    return {
      ...store,
      work: (run) =>
        store.work(({ files, ...running }) =>
          run({ ...running, files: { ...files, ...change(files) } }),
        ),
    }
  }
}

/** Where the jobs of a service are kept. */
export const stores = [
  ['in a folder', async () => onDisk(), {}],
  ['in Redis', inRedis, needs('redis-server')],
] as const

/** Closes a service in the middle of a phrase that its engine holds up. @returns one that goes on with the same store. */
export async function restartDuring(
  { jobs }: Awaited<ReturnType<typeof openService>>,
  gate: ReturnType<typeof blockingEngine>,
  open: NonNullable<ServiceOptions['open']>,
) {
  await gate.reached
  const closing = jobs.close()
  gate.open()
  await closing
  return openService({ open })
}
