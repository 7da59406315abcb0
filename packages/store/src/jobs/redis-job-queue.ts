import type { Job, Worker } from 'bullmq'
import { endsWithin } from '../ends-within.ts'
import { type RedisOptions, reconnectDelayMs } from '../redis/redis-connection.ts'
import {
  isRejectedForNow,
  isRejectedWhenFull,
  StoreAwayError,
  StoreFullError,
} from '../redis/store-errors.ts'
import type { JobTurn } from './job-store.ts'

/** The turns of jobs, which the processes of several machines share. */
export interface JobQueue {
  enqueue(turn: JobTurn): Promise<void>
  /** @param run rejects if the job must be run again, here or elsewhere. */
  work(run: (turn: JobTurn, signal: AbortSignal) => Promise<void>): void
  close(): Promise<void>
}

const queueName = 'jobs'
const prefix = 'parlando:queue'
/** After this time without a sign of life, another process takes the job over. A process may stop for seconds under load. */
const lockMs = 15_000
const checkMs = 5_000
/** Somebody waits for the result. */
const enqueueMs = 2_000
/** A blocking command responds after 10 s at the latest. */
const silenceMs = 30_000
const closeMs = 2_000

const queueOptions = {
  // Nobody reads them.
  streams: { events: { maxLen: 100 } },
  defaultJobOptions: {
    removeOnComplete: true,
    removeOnFail: true,
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: 'fixed', delay: 1_000 },
  },
}
const workerOptions = {
  lockDuration: lockMs,
  lockRenewTime: checkMs,
  stalledInterval: checkMs,
  // A job is not to blame for the processes that were killed while they ran it.
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  runRetryDelay: 1_000,
}

/**
 * Opens the queue of jobs in Redis, with BullMQ: a job whose process is killed goes on elsewhere. Connects in the background.
 * BullMQ is loaded only here, because most processes need none.
 */
export async function openRedisJobQueue(options: RedisOptions): Promise<JobQueue> {
  const { Queue, Worker, WaitingError } = await import('bullmq')
  const client = await createQueueClient(options)
  // It would write a warning to the console about each setting of memory but one, with which kept sound would fill the server.
  const connection = { connection: client, prefix, skipVersionCheck: true }
  const queue = new Queue(queueName, { ...connection, ...queueOptions })
  queue.on('error', () => {})
  const closing = new AbortController()
  const running = new Map<string, { lost: AbortController; ended: Promise<void> }>()
  let worker: Worker | undefined

  return {
    async enqueue(turn) {
      const { id, round, priority } = turn
      // It waits for a server that is away.
      const adding = queue.add(queueName, turn, { jobId: `${id}-${round}`, priority })
      const isAdded = await endsWithin(enqueueMs, adding).catch((error) => {
        if (isRejectedForNow(error)) return false
        throw isRejectedWhenFull(error)
          ? new StoreFullError('The store has no space for jobs')
          : error
      })
      if (!isAdded) throw new StoreAwayError('The store is away')
    },
    work(run) {
      const process = async (job: Job<JobTurn>, token = '') => {
        const lost = new AbortController()
        const ended = run(job.data, AbortSignal.any([lost.signal, closing.signal]))
        running.set(job.id!, { lost, ended })
        try {
          await ended
        } finally {
          running.delete(job.id!)
        }
        if (!closing.signal.aborted) return
        await job.moveToWait(token)
        throw new WaitingError()
      }
      worker = new Worker<JobTurn>(queueName, process, { ...connection, ...workerOptions })
      worker.on('error', () => {})
      worker.on('lockRenewalFailed', (ids) => {
        for (const id of ids) running.get(id)?.lost.abort()
      })
    },
    async close() {
      closing.abort()
      const ending = Promise.all([worker?.close(), queue.close()])
      await Promise.allSettled([...running.values()].map(({ ended }) => ended))
      // A server that is away learns from the time of the lock that the job is free.
      if (!(await endsWithin(closeMs, ending))) {
        void Promise.allSettled([worker?.disconnect(), queue.disconnect()])
      }
      // BullMQ would throw the error of a ping that is on its way, since nobody listens to a queue that is closed.
      client.removeAllListeners('error')
      client.on('error', () => {})
      client.destroy()
    },
  }
}

/** A connection that BullMQ uses for the queue and copies for the worker. */
async function createQueueClient({ url, password }: RedisOptions) {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    ...(password && { password }),
    socket: {
      socketTimeout: silenceMs,
      reconnectStrategy: reconnectDelayMs,
    },
    pingInterval: 5_000,
  })
  // The connection of the documents reports what fails.
  client.on('error', () => {})
  return client
}
