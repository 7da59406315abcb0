import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JobStore } from '@parlando/store'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { post, speechRequest } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { expect, it, onTestFinished } from 'vitest'
import { EngineError } from '../../errors/engine-error.ts'
import { toEntry } from '../../jobs/job.ts'
import { createJob } from '../../jobs/new-job.ts'
import {
  blockingEngine,
  longRequest,
  onDisk,
  openIn,
  openService,
  temporaryFolder,
  timingEngine,
  withFiles,
} from './long-text-service.test-case.ts'

const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const failed = {
  done: true,
  metadata: { state: 'FAILED' },
  error: { code: 8, message: 'The service cannot keep the audio: its store is full' },
}

/** Opens a store that has no space for pieces of some names. */
function fullFor(pieces: RegExp, open: () => Promise<JobStore>) {
  return withFiles(open, (files) => ({
    async writePiece(id, name, bytes) {
      if (pieces.test(name)) throw full
      await files.writePiece(id, name, bytes)
    },
  }))
}

const jobOf = ({ name }: { name: string }) => name.split('/')[1]!

const rejected = {
  status: 429,
  operation: { code: 8, message: expect.stringMatching(/is full: free some space/) },
}

const fullAtFirst: [string, Partial<JobStore>][] = [
  ['its turn', { enqueue: () => Promise.reject(full) }],
  ['its document', { add: () => Promise.reject(full) }],
  ['its texts', { writePiece: () => Promise.reject(full) }],
]

it.each(casesToRun(fullAtFirst, 1))(
  'a long text is rejected when the store has no space for %s, and leaves nothing',
  async (_what, change) => {
    const folder = temporaryFolder()
    const open = async () => ({ ...(await onDisk(folder)()), ...change })
    const service = await openService({ open })
    expect(await service.submit(longRequest)).toMatchObject(rejected)
    expect(service.failures).toEqual([full])
    expect(await service.jobs.countUnfinished()).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  },
)

it('a long text is not resumed when the store has no space for that', async () => {
  const store = await onDisk()()
  const gate = blockingEngine(1)
  const service = await openService({ open: async () => store, flite: gate.flite })
  const { operation } = await service.submit(longRequest)
  await gate.reached
  const change = (verb: string) => service.request(`/lro/v1alpha/${operation.name}:${verb}`, 'POST')
  await change('pause')
  gate.open()
  store.replace = () => Promise.reject(full)
  expect((await change('resume')).status).toBe(429)
  expect((await service.read(operation.name)).metadata.state).toBe('PAUSED')
})

it('a full store keeps no old long text from being deleted', async () => {
  const store = await onDisk()()
  const submission = { kind: 'speech', items: [{ request: speechRequest }], caller: '' } as const
  const totals = await store.totals('')
  const waiting = createJob(submission, totals)
  const old = { ...createJob(submission, totals), createdAt: '2020-01-01T00:00:00.000Z' }
  for (const job of [waiting, old]) await store.add(job.id, toEntry(job))
  store.enqueue = () => Promise.reject(full)
  const service = await openService({ open: async () => store })
  expect(await store.read(old.id)).toBeUndefined()
  expect(await store.read(waiting.id)).toBeDefined()
  expect(service.failures).toEqual([full])
})

const fullLater: [string, RegExp][] = [
  ['a segment', /-segment-3$/],
  ['the file', /-audio-/],
  ['its times', /-timestamps$/],
  ['its result', /-result$/],
]

it.each(casesToRun(fullLater, 2))(
  'a long text fails when the store has no space for %s, and keeps nothing',
  async (_what, pieces) => {
    const folder = temporaryFolder()
    const flite = timingEngine()
    const service = await openService({ open: fullFor(pieces, onDisk(folder)), flite })
    const key = { 'idempotency-key': 'chapter one' }
    const request = { ...longRequest, timestampType: 'WORD' }
    const { operation } = await service.submit(request, key)
    await service.ended(operation.name)
    expect(await service.read(operation.name)).toMatchObject(failed)
    await expect.poll(() => service.jobs.running, { timeout: 20_000 }).toBe(0)
    expect(readdirSync(join(folder, jobOf(operation)))).toEqual(['job.json'])
    expect(service.failures).toEqual([full])
    await service.jobs.close()
    const next = await openService({ open: onDisk(folder) })
    expect(await next.read(operation.name)).toMatchObject(failed)
    expect((await next.submit(request, key)).operation).toMatchObject(failed)
    expect(next.spoken).toEqual([])
  },
)

it('a batch ends with the text for which the store has no space', async () => {
  const service = await openService({ open: fullFor(/^1-segment-/, onDisk()) })
  const items = ['One.', 'Two.', 'Three.'].map((text) => ({
    customId: text,
    request: { ...speechRequest, text },
  }))
  const response = await post(service.app, '/tts/v1/voice:synthesizeBatch', { items })
  const { name } = await response.json()
  await service.ended(name)
  expect(await service.read(name)).toMatchObject(failed)
  expect(service.spoken).toEqual(['One.', 'Two.'])
})

it('a long text that its engine fails to finish leaves no part of its file', async () => {
  const folder = temporaryFolder()
  const store = await onDisk(folder)()
  const flite = createFakeEngine()
  flite.engine.speakPhrase = async () => {
    // A part of a long file is written while it is made, too.
    const [job] = readdirSync(folder)
    await store.writePiece(job!, '0-audio-0', Buffer.from('1'))
    throw new EngineError('input', 'The engine cannot speak this')
  }
  const service = await openService({ open: async () => store, flite })
  const { operation } = await service.submit(speechRequest)
  await service.ended(operation.name)
  expect(await service.read(operation.name)).toMatchObject({ error: { code: 3 } })
  const left = readdirSync(join(folder, jobOf(operation)))
  expect(left.toSorted()).toEqual(['0-result', 'items', 'job.json', 'progress'])
})

it('a long text fails also if its store has space for that only without its pieces', async () => {
  let isFull = false
  const open = withFiles(onDisk(), (files) => ({
    async writePiece(id, name, bytes) {
      isFull ||= name.includes('-audio-')
      if (isFull) throw full
      await files.writePiece(id, name, bytes)
    },
    async replace(id, previous, entry) {
      if (isFull) throw full
      return files.replace(id, previous, entry)
    },
    async removePieces(id, prefix) {
      await files.removePieces(id, prefix)
      isFull = false
    },
  }))
  const service = await openService({ open })
  const { operation } = await service.submit(longRequest)
  await service.ended(operation.name)
  expect(await service.read(operation.name)).toMatchObject(failed)
  expect(service.failures).toEqual([full])
})

it(
  'a long text fails in a Redis that has become full, which rejects further ones, and can be deleted',
  needs('redis-server'),
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const gate = blockingEngine(5)
    const service = await openService({ open: openIn(redis), flite: gate.flite })
    const { operation } = await service.submit(longRequest)
    await gate.reached
    // Less than it uses, but enough for the limits of the jobs.
    await redis.limitMemory(700_000)
    gate.open()
    await service.ended(operation.name)
    expect(await service.read(operation.name)).toMatchObject(failed)
    expect(await service.submit(speechRequest)).toMatchObject(rejected)
    expect((await service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')).status).toBe(200)
    expect((await service.request(`/lro/v1alpha/${operation.name}`)).status).toBe(404)
    // The queue could not end otherwise.
    await redis.limitMemory(0)
  },
)
