import type { JobStore } from '@parlando/store'
import { ServiceError } from '../errors/service-error.ts'
import { isStoreAway } from '../errors/to-service-error.ts'
import {
  expiryOf,
  type ItemResult,
  type JobDocument,
  type JobItem,
  type JobProgress,
  readJob,
  toEntry,
  toJson,
} from './job.ts'
import { fullStoreError, isStoreFull, rejectWhenFull } from './job-admission.ts'
import { JobDocuments } from './job-documents.ts'
import { itemsPiece, progressPiece } from './job-pieces.ts'
import { JobRuns, type JobsOptions } from './job-runs.ts'
import { createJob, idOfKey, isOf, type NewJob, ownerOf } from './new-job.ts'
import { readItems, readResult } from './run-job.ts'

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

  /**
   * Adds a job. With an idempotency key that a job has already, returns that job.
   * @throws {BusyError} if all jobs, or those of the caller, would take too much, or the store has no space.
   * @throws {ServiceError} if the job with the key has other texts.
   */
  submit(submission: NewJob): Promise<JobDocument> {
    return this.#rejectingWhenFull(this.#submit(submission))
  }

  async #submit(submission: NewJob): Promise<JobDocument> {
    const known = await this.#findSubmitted(submission)
    if (known) return known
    const totals = await this.#store.totals(ownerOf(submission))
    const job = createJob(submission, totals)
    rejectWhenFull(totals, job.bytes)
    const isAdded = await this.#store.add(job.id, toEntry(job))
    // Another request with the same key has added it meanwhile.
    if (!isAdded) return (await this.#findSubmitted(submission)) ?? this.find(job.id)
    try {
      await this.#enqueue(job, submission)
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

  /** Interrupts a job. What is made of it remains. @throws {BusyError} if the store has no space. */
  async pause(id: string): Promise<JobDocument> {
    const pausing = this.#documents.change(id, (job) =>
      job.ended ? job : { ...job, isPaused: true },
    )
    const job = await this.#rejectingWhenFull(pausing)
    this.#runs.interrupt(id)
    return job
  }

  /**
   * Goes on with a job that was paused.
   * @throws {BusyError} if the store has no space. The job may be resumed all the same, and then waits until there is space.
   */
  resume(id: string): Promise<JobDocument> {
    return this.#rejectingWhenFull(this.#resume(id))
  }

  async #resume(id: string): Promise<JobDocument> {
    const job = await this.#documents.change(id, (job) => {
      const isWaiting = job.isPaused && !job.ended
      return isWaiting ? { ...job, isPaused: false, round: job.round + 1 } : job
    })
    // It is queued even if another call has resumed it: the process of that call may have ended since.
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

  async #findSubmitted(submission: NewJob): Promise<JobDocument | undefined> {
    const { idempotencyKey } = submission
    if (idempotencyKey === undefined) return undefined
    const job = await this.#documents.read(idOfKey(idempotencyKey))
    if (!job) return undefined
    if (!isOf(submission, job)) {
      const message = 'Idempotency-Key: another request was sent with this key; choose a new one'
      throw new ServiceError('INVALID_ARGUMENT', message, 422)
    }
    return job.ended || job.isPaused ? job : this.#submitRest(job, submission)
  }

  /** Repeats the steps of a submission after which the service may have been killed. */
  async #submitRest({ id }: JobDocument, submission: NewJob): Promise<JobDocument> {
    const hasTexts = await this.#store.readPiece(id, itemsPiece)
    // A run that has found no texts may still have the turn of its round.
    const job = await this.#documents.change(id, (job) =>
      hasTexts ? job : { ...job, round: job.round + 1 },
    )
    if (hasTexts) await this.#store.enqueue(job)
    else await this.#enqueue(job, submission)
    return job
  }

  async #enqueue(job: JobDocument, { items }: NewJob): Promise<void> {
    await this.#store.writePiece(job.id, itemsPiece, toJson(items))
    await this.#store.enqueue(job)
  }

  /** @throws {BusyError} instead of the error of a store that has no space, which is noted. */
  async #rejectingWhenFull<Result>(change: Promise<Result>): Promise<Result> {
    try {
      return await change
    } catch (error) {
      if (!isStoreFull(error)) throw error
      this.#options.onFailure(error)
      throw fullStoreError()
    }
  }

  readonly #noteFailure = (error: unknown) => {
    // It reports itself that it is away.
    if (!isStoreAway(error)) this.#options.onFailure(error)
  }

  /** Queues every job that has not ended, also one that its process left between two steps, and deletes what has expired. */
  async #sweep(): Promise<void> {
    const now = Date.now()
    let fullError: unknown
    for await (const [id, document] of this.#store.readAll()) {
      const job = readJob(document)
      if (!job) continue
      // One that cannot be removed must not hold up the others.
      if (now > expiryOf(job)) await this.#store.remove(id).catch(this.#noteFailure)
      else if (!job.ended && !job.isPaused) {
        await this.#store.enqueue(job).catch((error) => {
          if (!isStoreFull(error)) throw error
          // Further ones may have expired: deleting them frees space.
          fullError = error
        })
      }
    }
    if (fullError) throw fullError
  }
}
