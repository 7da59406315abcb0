import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, type RedisOptions } from '../redis/redis-connection.ts'
import { StoreAwayError } from '../redis/store-errors.ts'
import { JobLostError, type JobStore, type JobTurn, type RunJob } from './job-store.ts'
import { createRedisJobFiles, type RedisJobFiles } from './redis-job-files.ts'
import { openRedisJobQueue } from './redis-job-queue.ts'

/** How long a run waits for a server that is away. */
const retryMs = 1_000

/**
 * Keeps jobs in Redis 6.2 or newer, or in Valkey, for all processes that use the server: each job runs in one of them, and if that
 * is killed, in another one after some 20 s. Connects in the background.
 * @throws {TypeError} if the address is not one of a Redis server.
 */
export async function openRedisJobStore(options: RedisOptions): Promise<JobStore> {
  const redis = await connectRedis(options)
  const files = await createRedisJobFiles(redis)
  const queue = await openRedisJobQueue(options)
  return {
    ...files,
    async totals(owner) {
      const { values, maxBytes } = await files.readTotals(owner)
      const [bytes = 0, unfinished = 0, ownBytes = 0, ownUnfinished = 0] = values
      return {
        all: { bytes, unfinished },
        ofOwner: { bytes: ownBytes, unfinished: ownUnfinished },
        // The other half is for the sound of the jobs that run.
        maxBytes: maxBytes / 2,
      }
    },
    enqueue: (turn) => queue.enqueue(turn),
    work(run) {
      queue.work((turn, signal) => runTurn({ files, turn, signal, run }))
    },
    async close() {
      await queue.close()
      await redis.close()
    },
  }
}

interface TurnOptions {
  files: RedisJobFiles
  turn: JobTurn
  signal: AbortSignal
  run: RunJob
}

/** Runs a job as the only one that changes it. @throws {JobLostError} if another run of it has begun meanwhile, for a further attempt. */
async function runTurn({ files, turn, signal, run }: TurnOptions): Promise<void> {
  const lost = new AbortController()
  const begin = async () => {
    const begun = await files.begin(turn, randomUUID(), () => lost.abort())
    if (begun) await run({ turn, signal: AbortSignal.any([signal, lost.signal]), files: begun })
  }
  while (!signal.aborted && !lost.signal.aborted) {
    try {
      await begin()
      break
    } catch (error) {
      if (!(error instanceof StoreAwayError)) throw error
      await wait(retryMs, undefined, { signal }).catch(() => {})
    }
  }
  if (lost.signal.aborted) throw new JobLostError('Another process runs the job')
}
