import { createHash, randomBytes } from 'node:crypto'
import { parseJson } from '@parlando/core/wire'
import type { JobStore } from '@parlando/store'
import { createMutex } from '../concurrency/mutex.ts'
import { BusyError, ServiceError } from '../errors/service-error.ts'
import { readLayout } from '../speaking/request-fields.ts'
import type { ServiceContext } from '../speaking/synthesis-request.ts'
import {
  type ItemResult,
  itemsPiece,
  type JobDocument,
  type JobItem,
  type JobProgress,
  jobSchema,
  progressPiece,
  toJson,
} from './job.ts'
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
/** Of jobs that have not ended. */
const maxUnfinished = 2_000
/** Of all files, made or to be made. The sound of the job that runs comes on top: at most some 500 MB. */
const maxBytes = 2 * 1024 * 1024 * 1024
/** What one caller may have of both. */
const shareOfCaller = 0.5
/** Of slow speech. */
const charactersPerSecond = 12
const fullRetrySeconds = 60

/** The long texts and batches of this service, each of which is spoken as a job. */
export class Jobs {
  readonly #options: JobsOptions
  readonly #store: JobStore
  /** One change of a document at a time. */
  readonly #exclusive = createMutex()
  readonly #running = new Map<string, AbortController>()
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: JobsOptions) {
    this.#options = options
    this.#store = options.store
  }

  /** Goes on with the jobs that an earlier process has left, and begins to take new ones. */
  async start(): Promise<void> {
    this.#store.work((id, signal) => this.#run(id, signal))
    await this.#sweep()
    this.#sweeping = setInterval(() => {
      this.#sweep().catch(this.#options.onFailure)
    }, sweepMs).unref()
  }

  /** @throws {BusyError} if all jobs, or those of the caller, would take too much. */
  async submit({ kind, items, caller }: NewJob): Promise<JobDocument> {
    return this.#exclusive(async () => {
      const hash = createHash('sha256').update(caller).digest('base64url')
      const characters = items.reduce((sum, { request }) => sum + request.text.length, 0)
      const bytes = Math.ceil(items.reduce((sum, item) => sum + estimatedBytes(item), 0))
      const known = await this.#readAll()
      const ofCaller = known.filter((job) => job.caller === hash)
      rejectWhenFull(known, bytes, 1)
      rejectWhenFull(ofCaller, bytes, shareOfCaller)
      const job: JobDocument = {
        parlandoJob: 1,
        id: randomBytes(16).toString('hex'),
        kind,
        caller: hash,
        secret: randomBytes(32).toString('base64url'),
        createdAt: new Date().toISOString(),
        characters,
        bytes,
        // So that the first job of another caller does not wait for all jobs of this one.
        priority: 1 + ofCaller.filter((other) => !other.ended).length,
        round: 0,
        isPaused: false,
      }
      await this.#write(job)
      await this.#store.writePiece(job.id, itemsPiece, toJson(items))
      await this.#store.enqueue(job)
      return job
    })
  }

  /** @throws {ServiceError} if there is no such job. */
  async find(id: string, kind?: JobDocument['kind']): Promise<JobDocument> {
    const job = await this.#read(id)
    if (job && (!kind || job.kind === kind)) return job
    const message = 'Unknown operation: it never existed, was deleted, or has expired'
    throw new ServiceError('NOT_FOUND', message)
  }

  /** @returns nothing before the job has begun. */
  async progressOf({ id }: JobDocument): Promise<JobProgress | undefined> {
    const bytes = await this.#store.readPiece(id, progressPiece)
    if (bytes) return JSON.parse(bytes.toString('utf8')) as JobProgress
    return this.#running.has(id) ? { spokenCharacters: 0 } : undefined
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
    return this.#exclusive(async () => {
      const job = await this.find(id)
      if (!job.isPaused || job.ended) return job
      const resumed = { ...job, isPaused: false, round: job.round + 1 }
      await this.#write(resumed)
      await this.#store.enqueue(resumed)
      return resumed
    })
  }

  /** Ends a job, and deletes its files. */
  async remove(id: string): Promise<void> {
    await this.#exclusive(async () => {
      await this.find(id)
      await this.#store.remove(id)
    })
    this.#running.get(id)?.abort()
  }

  /** @returns how many jobs run in this process. */
  get running(): number {
    return this.#running.size
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.#store.close()
  }

  async #run(id: string, storeSignal: AbortSignal): Promise<void> {
    const interruption = new AbortController()
    const signal = AbortSignal.any([storeSignal, interruption.signal])
    const check = async () => {
      const job = await this.#read(id)
      if (!job || job.isPaused || job.ended) interruption.abort()
    }
    this.#running.set(id, interruption)
    try {
      await check()
      if (!signal.aborted)
        await this.#end(id, await runJob({ ...this.#options, id, signal, check }))
    } catch (error) {
      if (!signal.aborted) await this.#fail(id, error)
    } finally {
      this.#running.delete(id)
      // What was written after somebody has deleted the job.
      if (interruption.signal.aborted && !(await this.#read(id))) await this.#store.remove(id)
    }
  }

  async #end(id: string, results: readonly ItemResult[]): Promise<void> {
    const at = new Date().toISOString()
    const bytes = results.reduce((sum, result) => sum + bytesOf(result), 0)
    await this.#change(id, (job) => {
      const failed = job.kind === 'speech' && results.find((result) => 'error' in result)
      const error = failed ? { code: failed.error.code, message: failed.error.message } : undefined
      return { ...job, bytes, ended: { at, ...(error && { error }) } }
    })
  }

  /** The store has failed, such as a full disk. */
  async #fail(id: string, error: unknown): Promise<void> {
    this.#options.onFailure(error)
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOSPC' ? 'its disk is full' : 'see its log for the cause'
    const message = `The service cannot keep the audio: ${reason}`
    const ended = { at: new Date().toISOString(), error: { code: 8, message } }
    await this.#change(id, (job) => ({ ...job, ended })).catch(this.#options.onFailure)
  }

  /** Queues every job that has not ended, also one that its process left between two steps, and deletes what has expired. */
  async #sweep(): Promise<void> {
    const now = Date.now()
    for (const job of await this.#readAll()) {
      if (now > expiryOf(job)) await this.#store.remove(job.id)
      else if (!job.ended && !job.isPaused) await this.#store.enqueue(job)
    }
  }

  #change(id: string, update: (job: JobDocument) => JobDocument): Promise<JobDocument> {
    return this.#exclusive(async () => {
      const job = await this.find(id)
      const changed = update(job)
      if (changed !== job) await this.#write(changed)
      return changed
    })
  }

  #write(job: JobDocument): Promise<void> {
    return this.#store.write(job.id, JSON.stringify(job))
  }

  async #read(id: string): Promise<JobDocument | undefined> {
    const document = isJobId(id) ? await this.#store.read(id) : undefined
    return document === undefined ? undefined : readJob(document)
  }

  async #readAll(): Promise<readonly JobDocument[]> {
    const documents = [...(await this.#store.readAll()).values()]
    return documents.flatMap((document) => readJob(document) ?? [])
  }
}

/** When a job and its files are deleted, in ms since 1970. */
export function expiryOf({ ended, createdAt }: JobDocument): number {
  return ended ? Date.parse(ended.at) + keptMs : Date.parse(createdAt) + maxAgeMs
}

function isJobId(id: string): boolean {
  return jobSchema.shape.id.safeParse(id).success
}

/** @returns nothing for a document of a later version. */
function readJob(document: string): JobDocument | undefined {
  return jobSchema.safeParse(parseJson(document)).data
}

function rejectWhenFull(jobs: readonly JobDocument[], addedBytes: number, share: number): void {
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, addedBytes)
  const unfinished = jobs.filter(({ ended }) => !ended).length
  if (bytes <= maxBytes * share && unfinished < maxUnfinished * share) return
  const whose = share < 1 ? 'Your long texts' : 'The long texts of this service'
  const message = `${whose} take too much space: delete those that are done (DELETE /lro/v1alpha/{name}), or try again later`
  throw new BusyError(message, fullRetrySeconds)
}

function estimatedBytes({ request }: JobItem): number {
  return (request.text.length / charactersPerSecond) * bytesPerSecond(request)
}

/** @returns 0 for a format that does not exist: the text will not be spoken. */
function bytesPerSecond({ audioConfig }: JobItem['request']): number {
  try {
    const { audioEncoding, bitRate, sampleRateHertz } = readLayout(audioConfig)
    const hasBitRate = audioEncoding === 'MP3' || audioEncoding === 'OGG_OPUS'
    return hasBitRate ? bitRate / 8 : sampleRateHertz * 2
  } catch {
    return 0
  }
}

function bytesOf(result: ItemResult): number {
  return 'error' in result ? 0 : result.pieceBytes.reduce((sum, bytes) => sum + bytes, 0)
}
