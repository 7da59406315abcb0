import type { Client } from '@parlando/core'
import { isPlainObject } from '../../../runtime/settings.ts'
import type { CompleteSpeechRequest } from '../../../runtime/speech/speech-request.ts'
import type { SpeechService } from '../../../runtime/speech-service.ts'
import { abortedLater } from '../../../runtime/wait.ts'
import type { SavedEntry } from '../../../saved/saved-list.ts'
import type { JobSubmission } from './long-speech.ts'
import { LongTextPause } from './long-text-pause.ts'
import { LongTextSpending } from './long-text-spending.ts'
import type { TextPart } from './text-parts.ts'

/** A long text that the service speaks, as it is saved. */
export interface SavedLongText extends SavedEntry {
  /** The message, without what JSON cannot hold. */
  message: Record<string, unknown>
  /** The request without its text. */
  request: Omit<CompleteSpeechRequest, 'text'>
  parts: TextPart[]
  /** The names of the jobs of the first parts. */
  jobNames: string[]
  /** The seconds of audio that the budget has counted. Default: 0. */
  countedSeconds?: number
  isPaused: boolean
}

/** A service that is away keeps the files until they expire. */
const removalMs = 5_000
/** Work that ends waits this long for the name of a submitted job, with which it goes on later or deletes the job: each costs. */
const submissionMs = 3_000

interface LongTextOptions {
  /** Whether a job of it was submitted before a restart, or was about to be. */
  isBegun: boolean
  /** Resolves when the file has it, or cannot have it. */
  save(): Promise<void>
  /** It does not go on after a restart, until it is saved again. */
  leaveOut(): void
  /** Resolves when the file has it. @returns false if the text goes on after a restart. */
  forget(): Promise<boolean>
  onProblem(error: unknown): void
}

/** A long text while it is spoken. */
export class LongText {
  readonly pause: LongTextPause
  readonly spending: LongTextSpending
  /** Called when the text is interrupted or resumed. */
  onPause = () => {}
  readonly #saved: SavedLongText
  readonly #options: LongTextOptions
  #submission: Promise<unknown> = Promise.resolve()

  constructor(saved: SavedLongText, options: LongTextOptions) {
    this.#saved = saved
    this.#options = options
    this.pause = new LongTextPause(saved.isPaused, options.onProblem)
    const save = () => this.#saveBegun()
    this.spending = new LongTextSpending(saved, { isBegun: options.isBegun, save })
  }

  get parts(): readonly TextPart[] {
    return this.#saved.parts
  }

  get jobNames(): readonly string[] {
    return this.#saved.jobNames
  }

  get request(): CompleteSpeechRequest {
    return { ...this.#saved.request, text: textOf(this.#saved.parts) }
  }

  readonly submit: JobSubmission = (index, call, submit) => {
    const named = this.#submit(index, call, submit)
    this.#submission = named.catch(() => {})
    return named
  }

  async #submit(...[index, call, submit]: Parameters<JobSubmission>) {
    // First: if Node-RED is killed before it knows the name, it submits the part again, with the same key.
    await this.#options.save()
    call.signal.throwIfAborted()
    const headers = { ...call.headers, 'idempotency-key': `${this.#saved.id}-${index}` }
    const signal = abortedLater(call.signal, submissionMs)
    try {
      const job = await submit({ ...call, headers, signal })
      this.#saved.jobNames[index] = job.name
      this.spending.count(index)
      void this.#options.save()
      return job
    } catch (error) {
      // It fails, or is streamed, and neither goes on after a restart.
      if (!call.signal.aborted && this.jobNames.length === 0) this.#options.leaveOut()
      throw error
    }
  }

  setPaused(isPaused: boolean): void {
    if (isPaused) this.pause.pause()
    else this.pause.resume()
    this.#saved.isPaused = isPaused
    this.onPause()
    this.#saveBegun()
  }

  /** Without a job, it does not go on after a restart. */
  #saveBegun(): void {
    if (this.jobNames.length > 0) void this.#options.save()
  }

  /** It has been sent, has failed, or was stopped: deletes it here and at the service, unless it goes on after a restart. */
  async end(service: SpeechService): Promise<void> {
    await this.#submission
    this.spending.end()
    if (!(await this.#options.forget())) return
    const { signal } = new AbortController()
    const limits = { maxRetries: 0, timeoutMs: removalMs }
    const remove = async (client: Client) => {
      await Promise.allSettled(this.jobNames.map((name) => client.speechJob(name).remove(limits)))
    }
    if (this.jobNames.length > 0) await service.use(signal, remove).catch(() => {})
  }
}

function textOf(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('\n\n')
}

export function isSavedLongText(value: unknown): value is SavedLongText {
  if (!isPlainObject(value)) return false
  const { id, nodeId, message, request, parts, jobNames, countedSeconds = 0 } = value
  const hasTexts = [id, nodeId].every((entry) => typeof entry === 'string')
  const hasLists = Array.isArray(parts) && parts.every(isPart) && Array.isArray(jobNames)
  const hasObjects = isPlainObject(message) && isPlainObject(request)
  return hasTexts && hasObjects && hasLists && Number.isFinite(countedSeconds)
}

function isPart(value: unknown): value is TextPart {
  return isPlainObject(value) && typeof value['text'] === 'string'
}
