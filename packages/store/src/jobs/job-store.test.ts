import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { createClient } from '@redis/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectRedis } from '../redis/redis-connection.ts'
import { openDiskJobStore } from './disk-job-store.ts'
import type { JobEntry, JobStore, RunningTurn } from './job-store.ts'
import { createRedisJobFiles } from './redis-job-files.ts'
import { openRedisJobStore } from './redis-job-store.ts'

/** The document of a test states what it counts for. */
const entry = (bytes: number, hasEnded = false, owner = 'anna', round = 0): JobEntry => ({
  document: JSON.stringify({ bytes, hasEnded, owner, round }),
  owner,
  bytes,
  hasEnded,
  round,
})
const inRound = (round: number) => entry(0, false, 'anna', round)
const readEntry = (document: string): JobEntry => ({ ...JSON.parse(document), document })

/** A run whose process gave no sign of life is over for Redis after 20 s. */
const limitMs = 60_000
const patient = { timeout: 2 * limitMs }

/** Opens stores of the same jobs: for a folder one after the other, for Redis also at the same time. */
type OpenStore = () => Promise<JobStore>

async function onDisk(): Promise<OpenStore> {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return () => openDiskJobStore({ folder, readEntry })
}

async function inRedis(): Promise<OpenStore> {
  const server = await startRedis()
  onTestFinished(() => server.close())
  return async () => {
    const store = await openRedisJobStore({ url: server.url })
    await vi.waitFor(() => store.read('a'), limitMs)
    return store
  }
}

/** Runs jobs that last until they are ended, or until their signal aborts. */
function controlledRuns() {
  const runs: (RunningTurn & { end(): void })[] = []
  const run = (running: RunningTurn) =>
    new Promise<void>((resolve) => {
      runs.push({ ...running, end: resolve })
      running.signal.addEventListener('abort', () => resolve())
    })
  const started = (count: number) =>
    vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), limitMs)
  return { runs, run, started }
}

const kinds = [
  ['in a folder', onDisk, {}],
  ['in Redis', inRedis, { ...needs('redis-server'), ...patient }],
] as const

for (const [where, create, condition] of kinds) {
  describe(`jobs ${where}`, condition, () => {
    it('have documents and pieces, which the next process finds', async () => {
      const open = await create()
      const store = await open()
      await store.add('a', entry(1))
      const bytes = Buffer.from([0, 255, 10])
      for (const name of ['0-segment-1', '0-segment-2', 'items']) {
        await store.writePiece('a', name, bytes)
      }
      await store.removePieces('a', '0-segment-')
      await store.close()
      const next = await open()
      onTestFinished(() => next.close())
      expect(await next.read('a')).toBe(entry(1).document)
      const all = []
      for await (const found of next.readAll()) all.push(found)
      expect(all).toEqual([['a', entry(1).document]])
      expect(await next.readPiece('a', 'items')).toEqual(bytes)
      expect(await next.readPiece('a', '0-segment-1')).toBeUndefined()
      await next.remove('a')
      await next.remove('a')
      expect(await next.read('a')).toBeUndefined()
      expect(await next.readPiece('a', 'items')).toBeUndefined()
      await expect((async () => next.readPiece('a', '../b'))()).rejects.toThrow(TypeError)
    })

    it('keep their document when all of their pieces are removed', async () => {
      const open = await create()
      const store = await open()
      await store.add('a', entry(1))
      await store.writePiece('a', 'items', Buffer.from('1'))
      await store.removePieces('a', '')
      expect(await store.readPiece('a', 'items')).toBeUndefined()
      await store.close()
      const next = await open()
      onTestFinished(() => next.close())
      expect(await next.read('a')).toBe(entry(1).document)
    })

    it('are counted for each owner, also after a change and a restart', async () => {
      const open = await create()
      const store = await open()
      await store.add('a', entry(10))
      await store.add('b', entry(5, true))
      await store.add('c', entry(1, false, 'ben'))
      expect(await store.replace('a', entry(10).document, entry(7, true))).toBe(true)
      await store.remove('c')
      const expected = {
        all: { bytes: 12, unfinished: 0 },
        ofOwner: { bytes: 12, unfinished: 0 },
        maxBytes: expect.any(Number),
      }
      expect(await store.totals('anna')).toEqual(expected)
      await store.close()
      const next = await open()
      onTestFinished(() => next.close())
      expect(await next.totals('anna')).toEqual(expected)
      expect((await next.totals('ben')).ofOwner).toEqual({ bytes: 0, unfinished: 0 })
    })

    it('are added once, also by several at the same time', async () => {
      const store = await (await create())()
      onTestFinished(() => store.close())
      const added = await Promise.all([1, 2].map((bytes) => store.add('a', entry(bytes))))
      expect(added.toSorted()).toEqual([false, true])
      expect(await store.read('a')).toBe(entry(1 + added.indexOf(true)).document)
      expect((await store.totals('anna')).all).toMatchObject({ unfinished: 1 })
      await store.remove('a')
      expect(await store.add('a', entry(3))).toBe(true)
    })

    it('are changed by one of several that change the same document', async () => {
      const store = await (await create())()
      onTestFinished(() => store.close())
      await store.add('a', entry(0))
      const changes = [1, 2, 3].map((bytes) => store.replace('a', entry(0).document, entry(bytes)))
      expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1)
      expect(await store.replace('b', entry(0).document, entry(1))).toBe(false)
    })

    it('run one at a time, in the order of their priorities, and once for each round', async () => {
      const store = await (await create())()
      onTestFinished(() => store.close())
      const { runs, run, started } = controlledRuns()
      for (const id of ['a', 'b', 'c']) await store.add(id, entry(0))
      await store.enqueue({ id: 'a', round: 0, priority: 2 })
      await store.enqueue({ id: 'b', round: 0, priority: 1 })
      await store.enqueue({ id: 'c', round: 0, priority: 2 })
      await store.enqueue({ id: 'a', round: 0, priority: 1 })
      await store.enqueue({ id: 'a', round: 1, priority: 3 })
      store.work(run)
      for (let count = 1; count <= 4; count += 1) {
        await started(count)
        expect(runs).toHaveLength(count)
        if (count === 3) await store.replace('a', inRound(0).document, inRound(1))
        runs.at(-1)!.end()
      }
      const names = runs.map(({ turn: { id, round } }) => `${id}${round}`)
      expect(names).toEqual(['b0', 'a0', 'c0', 'a1'])
    })

    it('do not run in a round that is over', async () => {
      const store = await (await create())()
      onTestFinished(() => store.close())
      const { runs, run, started } = controlledRuns()
      await store.add('a', inRound(1))
      await store.enqueue({ id: 'a', round: 0, priority: 1 })
      await store.enqueue({ id: 'a', round: 1, priority: 2 })
      store.work(run)
      await started(1)
      expect(runs.map(({ turn: { round } }) => round)).toEqual([1])
      runs[0]!.end()
    })

    it('run again after their run was rejected, as others do', async () => {
      const store = await (await create())()
      onTestFinished(() => store.close())
      for (const id of ['a', 'b']) await store.add(id, entry(0))
      const runs: string[] = []
      await store.enqueue({ id: 'a', round: 0, priority: 1 })
      await store.enqueue({ id: 'b', round: 0, priority: 2 })
      store.work(async ({ turn: { id } }) => {
        runs.push(id)
        if (runs.length === 1) throw new Error('the store is away')
      })
      await vi.waitFor(() => expect(runs.toSorted()).toEqual(['a', 'a', 'b']), limitMs)
    })

    it('are not changed by a run of a job that had the same id and was deleted', async () => {
      const store = await (await create())()
      onTestFinished(() => store.close())
      const { runs, run, started } = controlledRuns()
      store.work(run)
      await store.add('a', entry(1))
      await store.enqueue({ id: 'a', round: 0, priority: 1 })
      await started(1)
      const { files, signal } = runs[0]!
      await store.remove('a')
      await store.add('a', entry(2))
      await store.writePiece('a', 'items', Buffer.from('2'))
      for (const change of [
        () => files.writePiece('a', 'items', Buffer.from('1')),
        () => files.removePieces('a', ''),
        () => files.replace('a', entry(2).document, entry(1, true)),
      ]) {
        await expect(change()).rejects.toMatchObject({ code: 'JOB_LOST' })
      }
      expect(signal.aborted).toBe(true)
      expect(await store.readPiece('a', 'items')).toEqual(Buffer.from('2'))
      expect(await store.read('a')).toBe(entry(2).document)
    })

    it('are interrupted when the process closes, and go on in the next one', async () => {
      const open = await create()
      const store = await open()
      await store.add('a', entry(0))
      const first = controlledRuns()
      store.work(first.run)
      await store.enqueue({ id: 'a', round: 0, priority: 1 })
      await first.started(1)
      await first.runs[0]!.files.writePiece('a', 'progress', Buffer.from('1'))
      await store.close()
      expect(first.runs[0]!.signal.aborted).toBe(true)
      const next = await open()
      onTestFinished(() => next.close())
      const second = controlledRuns()
      next.work(second.run)
      // As each process does at its start.
      await next.enqueue({ id: 'a', round: 0, priority: 1 })
      await second.started(1)
      expect(second.runs[0]!.turn).toMatchObject({ id: 'a', round: 0 })
      expect(await next.readPiece('a', 'progress')).toEqual(Buffer.from('1'))
      second.runs[0]!.end()
    })
  })
}

it('a job in a folder whose document cannot be written leaves nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openDiskJobStore({ folder, readEntry })
  onTestFinished(() => store.close())
  // A folder in place of the document.
  mkdirSync(join(folder, 'a', 'job.json'), { recursive: true })
  await expect(store.add('a', entry(1))).rejects.toMatchObject({ syscall: 'rename' })
  expect(readdirSync(folder)).toEqual([])
  expect((await store.totals('anna')).all).toEqual({ bytes: 0, unfinished: 0 })
  expect(await store.add('a', entry(1))).toBe(true)
})

it('a job in a folder that cannot be removed is still there, and is removed by the next attempt', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'jobs')
  const store = await openDiskJobStore({ folder, readEntry })
  onTestFinished(() => store.close())
  await store.add('a', entry(1))
  renameSync(folder, join(parent, 'elsewhere'))
  writeFileSync(folder, '')
  await expect(store.remove('a')).rejects.toMatchObject({ code: 'ENOTDIR' })
  rmSync(folder)
  renameSync(join(parent, 'elsewhere'), folder)
  expect(await store.read('a')).toBe(entry(1).document)
  expect((await store.totals('anna')).ofOwner).toEqual({ bytes: 1, unfinished: 1 })
  await store.remove('a')
  expect(await store.read('a')).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

it('a job in a folder has nothing of a job that had the same id and was deleted while it was written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openDiskJobStore({ folder, readEntry })
  onTestFinished(() => store.close())
  await store.add('a', entry(1))
  const changes = [
    store.writePiece('a', '0-result', Buffer.from('1')),
    store.remove('a'),
    store.writePiece('a', '0-timestamps', Buffer.from('1')),
    store.add('a', entry(2)),
  ]
  const outcomes = await Promise.allSettled(changes)
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(readdirSync(join(folder, 'a'))).toEqual(['job.json'])
})

it('a document that is being written to a folder remains when all pieces are removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openDiskJobStore({ folder, readEntry })
  onTestFinished(() => store.close())
  await store.add('a', entry(1))
  await store.writePiece('a', 'items', Buffer.from('1'))
  const part = `job.json.${randomUUID()}.part`
  writeFileSync(join(folder, 'a', part), '')
  await store.removePieces('a', '')
  expect(readdirSync(join(folder, 'a')).toSorted()).toEqual(['job.json', part])
})

describe('jobs in Redis', { ...needs('redis-server'), ...patient }, () => {
  it('run in one of several processes, and only the last run of a job changes it', async () => {
    const open = await inRedis()
    const [one, other] = await Promise.all([open(), open()])
    onTestFinished(async () => {
      await Promise.all([one.close(), other.close()])
    })
    const { runs, run, started } = controlledRuns()
    one.work(run)
    other.work(run)
    for (const id of ['a', 'b']) {
      await one.add(id, entry(0))
      await one.enqueue({ id, round: 0, priority: 1 })
    }
    await started(2)
    const [a, b] = runs.toSorted((left, right) => left.turn.id.localeCompare(right.turn.id))
    expect([a!.turn.id, b!.turn.id]).toEqual(['a', 'b'])
    b!.end()
    // Such as after a pause that the first run has not noticed.
    await other.replace('a', inRound(0).document, inRound(1))
    await other.enqueue({ id: 'a', round: 1, priority: 1 })
    await started(3)
    const lost = a!.files.writePiece('a', 'items', Buffer.from('1'))
    await expect(lost).rejects.toMatchObject({ code: 'JOB_LOST' })
    expect(a!.signal.aborted).toBe(true)
    const { files, end } = runs[2]!
    await files.writePiece('a', 'items', Buffer.from('2'))
    expect(await one.readPiece('a', 'items')).toEqual(Buffer.from('2'))
    await other.remove('a')
    await expect(files.writePiece('a', 'items', Buffer.from('3'))).rejects.toMatchObject({
      code: 'JOB_LOST',
    })
    expect(await one.readPiece('a', 'items')).toBeUndefined()
    end()
  })

  it('keep their run while a turn of an earlier round ends', async () => {
    const open = await inRedis()
    const [one, other] = await Promise.all([open(), open()])
    onTestFinished(async () => {
      await Promise.all([one.close(), other.close()])
    })
    const { runs, run, started } = controlledRuns()
    await one.add('a', inRound(1))
    await one.add('b', entry(0))
    one.work(run)
    await one.enqueue({ id: 'a', round: 1, priority: 1 })
    await started(1)
    await one.enqueue({ id: 'a', round: 0, priority: 1 })
    await one.enqueue({ id: 'b', round: 0, priority: 2 })
    other.work(run)
    await started(2)
    const [a, b] = runs
    expect(b!.turn.id).toBe('b')
    await a!.files.writePiece('a', 'items', Buffer.from('1'))
    expect(a!.signal.aborted).toBe(false)
    for (const { end } of runs) end()
  })

  it('run in any round if an earlier version added them, which kept no rounds', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const redis = await connectRedis({ url: server.url })
    onTestFinished(() => redis.close())
    await redis.ready
    const { add, begin } = await createRedisJobFiles(redis)
    await add('a', inRound(1))
    await redis.run((client) => client.hDel('parlando:jobs:rounds', 'a'), limitMs)
    const turn = { id: 'a', round: 1, priority: 1 }
    expect(await begin(turn, 'run', () => {})).toBeDefined()
    expect(await begin({ ...turn, id: 'deleted' }, 'run', () => {})).toBeUndefined()
  })

  it('take at most half of the memory that the server has', async () => {
    const server = await startRedis({ maxMemoryBytes: 32 * 1024 * 1024, policy: 'volatile-lru' })
    onTestFinished(() => server.close())
    const store = await openRedisJobStore({ url: server.url })
    onTestFinished(() => store.close())
    await vi.waitFor(() => store.add('a', entry(0)), limitMs)
    const piece = Buffer.alloc(8 * 1024 * 1024)
    await store.writePiece('a', '1', piece)
    await store.writePiece('a', '2', piece)
    await expect(store.writePiece('a', '3', piece)).rejects.toMatchObject({ code: 'STORE_FULL' })
    await store.removePieces('a', '2')
    await store.writePiece('a', '3', piece)
    expect(await store.totals('anna')).toMatchObject({ maxBytes: 8 * 1024 * 1024 })
  })

  it('end and are removed when the server is full, and are not added or queued', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const store = await openRedisJobStore({ url: server.url })
    onTestFinished(() => store.close())
    await vi.waitFor(() => store.add('a', entry(5)), limitMs)
    await store.add('b', entry(1))
    await store.writePiece('a', 'items', Buffer.from('1'))
    const redis = await connectRedis({ url: server.url })
    onTestFinished(() => redis.close())
    await redis.ready
    const { begin } = await createRedisJobFiles(redis)
    await server.limitMemory(1)
    await expect(store.add('c', entry(1))).rejects.toMatchObject({ code: 'STORE_FULL' })
    const queued = store.enqueue({ id: 'b', round: 0, priority: 1 })
    await expect(queued).rejects.toMatchObject({ code: 'STORE_FULL' })
    const turn = { id: 'a', round: 0, priority: 1 }
    const run = await begin(turn, 'run', () => {})
    expect(await run!.replace('a', entry(5).document, entry(3, true))).toBe(true)
    await run!.removePieces('a', '')
    // It has none.
    await store.removePieces('b', '')
    expect(await store.readPiece('a', 'items')).toBeUndefined()
    expect((await store.totals('anna')).all).toEqual({ bytes: 4, unfinished: 1 })
    for (const id of ['a', 'b']) await store.remove(id)
    expect(await store.read('a')).toBeUndefined()
    expect((await store.totals('anna')).all).toEqual({ bytes: 0, unfinished: 0 })
  })

  it('fail while the server is away, and are there when it is back', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const store = await openRedisJobStore({ url: server.url })
    onTestFinished(() => store.close())
    await vi.waitFor(() => store.add('a', entry(0)), limitMs)
    server.pause()
    await expect(store.read('a')).rejects.toMatchObject({ code: 'STORE_AWAY' })
    server.resume()
    await vi.waitFor(async () => expect(await store.read('a')).toBe(entry(0).document), limitMs)
  })

  it('fail while the server is away and then loads its data, and are there afterwards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlando-redis-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const first = await startRedis({ folder })
    onTestFinished(() => first.close())
    const { port, url } = first
    const store = await openRedisJobStore({ url })
    onTestFinished(() => store.close())
    await vi.waitFor(() => store.add('a', entry(0)), limitMs)
    // While it loads, the server responds after each 1,024 commands.
    await fillRedis(url, 4_000)
    await first.close()
    await expect(store.read('a')).rejects.toMatchObject({ code: 'STORE_AWAY' })
    const starting = startRedis({ port, folder, loadDelayMicroseconds: 300 })
    const failures = new Set<unknown>()
    const attempt = async () => {
      await store.enqueue({ id: 'a', round: failures.size, priority: 1 })
      return store.read('a')
    }
    await vi.waitFor(
      () =>
        attempt().catch((error) => {
          failures.add(error.code ?? error.message)
          throw error
        }),
      limitMs,
    )
    const second = await starting
    onTestFinished(() => second.close())
    // A process that stands still meanwhile sees none.
    expect([...failures].filter((failure) => failure !== 'STORE_AWAY')).toEqual([])
  })
})

async function fillRedis(url: string, commands: number): Promise<void> {
  const client = createClient({ url })
  await client.connect()
  await Promise.all(Array.from({ length: commands }, () => client.set('other', 'value')))
  client.destroy()
}
