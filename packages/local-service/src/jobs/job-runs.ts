import type { JobFiles, JobStore, RunningTurn } from '@parlando/store'
import { isStoreAway } from '../errors/to-service-error.ts'
import type { ServiceContext } from '../speaking/synthesis-request.ts'
import type { ItemResult, JobDocument } from './job.ts'
import { isStoreFull } from './job-admission.ts'
import type { JobDocuments } from './job-documents.ts'
import { itemNumberStarts, itemsPiece } from './job-pieces.ts'
import { runJob } from './run-job.ts'

export interface JobsOptions {
  store: JobStore
  service: ServiceContext
  /** Receives the failures of this service, rather than of a request. */
  onFailure(error: unknown): void
  /** Default: seconds. */
  retryDelaysMs?: readonly number[]
}

/** How often a job that runs learns what another service has done with it. */
const checkMs = 1_000

/** The jobs that run in this process. */
export class JobRuns {
  /** How many have ended. */
  readonly ended = { done: 0, failed: 0 }
  readonly #options: JobsOptions
  readonly #documents: JobDocuments
  readonly #running = new Map<string, AbortController>()

  constructor(options: JobsOptions, documents: JobDocuments) {
    this.#options = options
    this.#documents = documents
  }

  get running(): number {
    return this.#running.size
  }

  /** Lets a job end where it is, if it runs. What is made of it remains. */
  interrupt(id: string): void {
    this.#running.get(id)?.abort()
  }

  /** Runs a job that has its turn. @throws if the store is away. */
  async run({ turn, signal: storeSignal, files }: RunningTurn): Promise<void> {
    const { id, round } = turn
    const interruption = new AbortController()
    const signal = AbortSignal.any([storeSignal, interruption.signal])
    const check = async () => {
      const job = await this.#documents.read(id)
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
      const { kind } = await this.#documents.find(id)
      const results = await runJob({ ...this.#options, store: files, id, signal, check })
      await this.#end(files, id, outcomeOf(kind, results))
    } catch (error) {
      // Somebody may have deleted it just now.
      await check()
      if (!signal.aborted) await this.#fail(files, id, error)
    } finally {
      clearInterval(checking)
      this.#running.delete(id)
    }
  }

  /** The store has failed, such as a full disk. @throws the error if it is only away for a while. */
  async #fail(files: JobFiles, id: string, error: unknown): Promise<void> {
    if (isStoreAway(error)) throw error
    this.#options.onFailure(error)
    const reason = isStoreFull(error) ? 'its store is full' : 'see its log for the cause'
    const message = `The service cannot keep the audio: ${reason}`
    try {
      // First what takes space, so that there is some for the document. Without its texts, a job that has not ended would never run again.
      for (const start of itemNumberStarts) await files.removePieces(id, start)
      await this.#end(files, id, { bytes: 0, error: { code: 8, message } })
      await files.removePieces(id, '')
    } catch (failure) {
      if (isStoreAway(failure)) throw failure
      this.#options.onFailure(failure)
    }
  }

  async #end(files: JobFiles, id: string, { bytes, error }: JobOutcome): Promise<void> {
    const ended = { at: new Date().toISOString(), ...(error && { error }) }
    const update = (job: JobDocument) =>
      job.ended ? job : { ...job, bytes: bytes ?? job.bytes, ended }
    const changed = await this.#documents.change(id, update, files)
    // Another service may have ended it.
    if (changed.ended === ended) this.ended[error ? 'failed' : 'done'] += 1
  }
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
