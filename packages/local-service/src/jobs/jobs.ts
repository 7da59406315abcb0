import { createHash, randomBytes } from 'node:crypto'
import type { JobStore } from '@parlando/store'
import { isStoreAway } from '../errors/to-service-error.ts'
import {
  expiryOf,
  type ItemResult,
  itemsPiece,
  type JobDocument,
  type JobItem,
  type JobProgress,
  progressPiece,
  readJob,
  toEntry,
  toJson,
} from './job.ts'
import { estimatedBytes, rejectWhenFull } from './job-admission.ts'
import { JobDocuments } from './job-documents.ts'
import { JobRuns, type JobsOptions } from './job-runs.ts'
import { readItems, readResult } from './run-job.ts'

export interface NewJob {
  kind: JobDocument['kind']
  items: readonly JobItem[]
  /** The address of the caller. */
  caller: string
}

const sweepMs = 10 * 60_000

/** The long texts and batches of a service, or of all that share a store. Each is spoken as a job. */
export class Jobs {
  readonly #options: JobsOptions
  readonly #store: JobStore
  readonly #documents: JobDocuments
  readonly #runs: JobRuns
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: JobsOptions) {
    this.#options = options
    this.#store = options.store
    this.#documents = new JobDocuments(options.store)
    this.#runs = new JobRuns({ ...options, onFailure: this.#noteFailure }, this.#documents)
  }

  /** Goes on with the jobs that an earlier process has left, and begins to take new ones. */
  async start(): Promise<void> {
    this.#store.work((running) => this.#runs.run(running))
    const sweep = () => this.#sweep().catch(this.#noteFailure)
    await sweep()
    this.#sweeping = setInterval(sweep, sweepMs).unref()
  }

  /** @throws {BusyError} if all jobs, or those of the caller, would take too much. */
  async submit({ kind, items, caller }: NewJob): Promise<JobDocument> {
    const owner = createHash('sha256').update(caller).digest('base64url')
    const characters = items.reduce((sum, { request }) => sum + request.text.length, 0)
    const bytes = estimatedBytes(items)
    const totals = await this.#store.totals(owner)
    rejectWhenFull(totals, bytes)
    const job: JobDocument = {
      parlandoJob: 1,
      id: randomBytes(16).toString('hex'),
      kind,
      caller: owner,
      secret: randomBytes(32).toString('base64url'),
      createdAt: new Date().toISOString(),
      characters,
      bytes,
      // So that the first job of another caller does not wait for all jobs of this one.
      priority: 1 + totals.ofOwner.unfinished,
      round: 0,
      isPaused: false,
    }
    await this.#store.add(job.id, toEntry(job))
    try {
      await this.#store.writePiece(job.id, itemsPiece, toJson(items))
      await this.#store.enqueue(job)
    } catch (error) {
      // The caller gets no job.
      await this.#store.remove(job.id).catch(this.#noteFailure)
      throw error
    }
    return job
  }

  /** @throws {ServiceError} if there is no such job. */
  find(id: string, kind?: JobDocument['kind']): Promise<JobDocument> {
    return this.#documents.find(id, kind)
  }

  /** @returns nothing before the job has begun. */
  async progressOf({ id }: JobDocument): Promise<JobProgress | undefined> {
    const bytes = await this.#store.readPiece(id, progressPiece)
    return bytes && (JSON.parse(bytes.toString('utf8')) as JobProgress)
  }

  itemsOf({ id }: JobDocument): Promise<readonly JobItem[]> {
    return readItems(this.#store, id)
  }

  resultOf({ id }: JobDocument, item: number): Promise<ItemResult | undefined> {
    return readResult(this.#store, id, item)
  }

  readPiece({ id }: JobDocument, name: string): Promise<Buffer | undefined> {
    return this.#store.readPiece(id, name)
  }

  /** Interrupts a job. What is made of it remains. */
  async pause(id: string): Promise<JobDocument> {
    const job = await this.#documents.change(id, (job) =>
      job.ended ? job : { ...job, isPaused: true },
    )
    this.#runs.interrupt(id)
    return job
  }

  /** Goes on with a job that was paused. */
  async resume(id: string): Promise<JobDocument> {
    const job = await this.#documents.change(id, (job) => {
      const isWaiting = job.isPaused && !job.ended
      return isWaiting ? { ...job, isPaused: false, round: job.round + 1 } : job
    })
    // Also if another call has resumed it, whose process may have ended since.
    if (!job.ended) await this.#store.enqueue(job)
    return job
  }

  /** Ends a job, and deletes its files. */
  async remove(id: string): Promise<void> {
    await this.find(id)
    // First, because what the job still writes would fail.
    this.#runs.interrupt(id)
    await this.#store.remove(id)
  }

  /** @returns how many jobs run in this process. */
  get running(): number {
    return this.#runs.running
  }

  /** How many jobs have ended in this process. */
  get ended(): Readonly<{ done: number; failed: number }> {
    return this.#runs.ended
  }

  /** How many jobs have not ended, of all services that share the store. */
  async countUnfinished(): Promise<number> {
    return (await this.#store.totals('')).all.unfinished
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.#store.close()
  }

  readonly #noteFailure = (error: unknown) => {
    // It reports itself that it is away.
    if (!isStoreAway(error)) this.#options.onFailure(error)
  }

  /** Queues every job that has not ended, also one that its process left between two steps, and deletes what has expired. */
  async #sweep(): Promise<void> {
    const now = Date.now()
    for await (const [id, document] of this.#store.readAll()) {
      const job = readJob(document)
      if (!job) continue
      // One that cannot be removed must not hold up the others.
      if (now > expiryOf(job)) await this.#store.remove(id).catch(this.#noteFailure)
      else if (!job.ended && !job.isPaused) await this.#store.enqueue(job)
    }
  }
}
