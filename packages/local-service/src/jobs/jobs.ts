import { createHash, randomBytes } from 'node:crypto'
import type { JobFiles, JobStore, RunningTurn } from '@parlando/store'
import { ServiceError } from '../errors/service-error.ts'
import { isStoreAway } from '../errors/to-service-error.ts'
import type { ServiceContext } from '../speaking/synthesis-request.ts'
import {
  type ItemResult,
  isJobId,
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
import { readItems, readResult, runJob } from './run-job.ts'

export interface JobsOptions {
  store: JobStore
  service: ServiceContext
  /** Receives the failures of this service, rather than of a request. */
  onFailure(error: unknown): void
  /** Default: seconds. */
  retryDelaysMs?: readonly number[]
}

export interface NewJob {
  kind: JobDocument['kind']
  items: readonly JobItem[]
  /** The address of the caller. */
  caller: string
}

/** How long the files of a job are kept after its end. */
const keptMs = 3 * 24 * 60 * 60_000
/** How long a job may take, for example because nobody resumes it. */
const maxAgeMs = 30 * 24 * 60 * 60_000
const sweepMs = 10 * 60_000
/** How often a job that runs learns what another service has done with it. */
const checkMs = 1_000
/** The long texts and batches of a service, or of all that share a store. Each is spoken as a job. */
export class Jobs {
  readonly #options: JobsOptions
  readonly #store: JobStore
  readonly #running = new Map<string, AbortController>()
  readonly #ended = { done: 0, failed: 0 }
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: JobsOptions) {
    this.#options = options
    this.#store = options.store
  }

  /** Goes on with the jobs that an earlier process has left, and begins to take new ones. */
  async start(): Promise<void> {
    this.#store.work((running) => this.#run(running))
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
  async find(id: string, kind?: JobDocument['kind']): Promise<JobDocument> {
    const job = await this.#read(id)
    if (job && (!kind || job.kind === kind)) return job
    throw unknownJob()
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
    const job = await this.#change(id, (job) => (job.ended ? job : { ...job, isPaused: true }))
    this.#running.get(id)?.abort()
    return job
  }

  /** Goes on with a job that was paused. */
  async resume(id: string): Promise<JobDocument> {
    const job = await this.#change(id, (job) => {
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
    this.#running.get(id)?.abort()
    await this.#store.remove(id)
  }

  /** @returns how many jobs run in this process. */
  get running(): number {
    return this.#running.size
  }

  /** How many jobs have ended in this process. */
  get ended(): Readonly<{ done: number; failed: number }> {
    return this.#ended
  }

  /** How many jobs have not ended, of all services that share the store. */
  async countUnfinished(): Promise<number> {
    return (await this.#store.totals('')).all.unfinished
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.#store.close()
  }

  async #run({ turn, signal: storeSignal, files }: RunningTurn): Promise<void> {
    const { id, round } = turn
    const interruption = new AbortController()
    const signal = AbortSignal.any([storeSignal, interruption.signal])
    const check = async () => {
      const job = await this.#read(id)
      const isOurs = job && !job.isPaused && !job.ended && job.round === round
      if (!isOurs) interruption.abort()
    }
    // The run itself notices that the store is away.
    const checking = setInterval(() => void check().catch(() => {}), checkMs).unref()
    this.#running.set(id, interruption)
    try {
      await check()
      const hasTexts = await files.readPiece(id, itemsPiece)
      // Without them, it is still being submitted, and queued once more then.
      if (signal.aborted || !hasTexts) return
      const { kind } = await this.find(id)
      const results = await runJob({ ...this.#options, store: files, id, signal, check })
      await this.#end(files, id, outcomeOf(kind, results))
    } catch (error) {
      // Somebody may have deleted it just now.
      await check()
      if (!signal.aborted) await this.#fail(files, id, error)
    } finally {
      clearInterval(checking)
      this.#running.delete(id)
      // What was written after somebody has deleted the job.
      if (interruption.signal.aborted && !(await this.#read(id))) await this.#store.remove(id)
    }
  }

  /** The store has failed, such as a full disk. @throws the error if it is only away for a while. */
  async #fail(files: JobFiles, id: string, error: unknown): Promise<void> {
    if (isStoreAway(error)) throw error
    this.#options.onFailure(error)
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOSPC' ? 'its store is full' : 'see its log for the cause'
    const message = `The service cannot keep the audio: ${reason}`
    try {
      await this.#end(files, id, { bytes: 0, error: { code: 8, message } })
      // Nothing remains that takes space.
      await files.removePieces(id, '')
    } catch (failure) {
      this.#noteFailure(failure)
    }
  }

  async #end(files: JobFiles, id: string, { bytes, error }: JobOutcome): Promise<void> {
    const ended = { at: new Date().toISOString(), ...(error && { error }) }
    const update = (job: JobDocument) =>
      job.ended ? job : { ...job, bytes: bytes ?? job.bytes, ended }
    const changed = await this.#change(id, update, files)
    // Another service may have ended it.
    if (changed.ended === ended) this.#ended[error ? 'failed' : 'done'] += 1
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
      if (now > expiryOf(job)) await this.#store.remove(id)
      else if (!job.ended && !job.isPaused) await this.#store.enqueue(job)
    }
  }

  /** Changes a document, and again if another service has changed it meanwhile. */
  async #change(
    id: string,
    update: (job: JobDocument) => JobDocument,
    files: JobFiles = this.#store,
  ): Promise<JobDocument> {
    for (;;) {
      const document = isJobId(id) ? await this.#store.read(id) : undefined
      const job = document === undefined ? undefined : readJob(document)
      if (!job) throw unknownJob()
      const changed = update(job)
      if (changed === job) return job
      if (await files.replace(id, document!, toEntry(changed))) return changed
    }
  }

  async #read(id: string): Promise<JobDocument | undefined> {
    const document = isJobId(id) ? await this.#store.read(id) : undefined
    return document === undefined ? undefined : readJob(document)
  }
}

/** When a job and its files are deleted, in ms since 1970. */
export function expiryOf({ ended, createdAt }: JobDocument): number {
  return ended ? Date.parse(ended.at) + keptMs : Date.parse(createdAt) + maxAgeMs
}

function unknownJob(): ServiceError {
  const message = 'Unknown operation: it never existed, was deleted, or has expired'
  return new ServiceError('NOT_FOUND', message)
}

interface JobOutcome {
  /** What its files take. */
  bytes?: number
  error?: { code: number; message: string }
}

/** A batch does not fail with its texts. */
function outcomeOf(kind: JobDocument['kind'], results: readonly ItemResult[]): JobOutcome {
  const bytes = results.reduce((sum, result) => sum + bytesOf(result), 0)
  const failed = kind === 'speech' && results.find((result) => 'error' in result)
  if (!failed) return { bytes }
  return { bytes, error: { code: failed.error.code, message: failed.error.message } }
}

function bytesOf(result: ItemResult): number {
  return 'error' in result ? 0 : result.pieceBytes.reduce((sum, bytes) => sum + bytes, 0)
}
