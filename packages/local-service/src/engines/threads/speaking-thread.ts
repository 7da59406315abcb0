import { type ResourceLimits, Worker } from 'node:worker_threads'
import { EngineError } from '../../errors/engine-error.ts'
import { programPath } from '../../processes/program.ts'
import {
  type PhraseEnd,
  type PhraseReport,
  type PieceOfSound,
  type PostedPhrase,
  shared,
  type ThreadData,
  type ThreadPhrase,
} from './serve-phrases.ts'

export interface SpeakingThreadOptions {
  /** The name of its program, such as `flite-worker`. */
  program: string
  /** What the program receives at its start. */
  data: unknown
  resourceLimits: ResourceLimits
  /**
   * Maximum time for a phrase, in milliseconds, which begins again when the thread has worked on another one. For the first phrase
   * it includes the start of the thread. Default: 10 s, 30 s for the first phrase, plus a hundred times the usual duration.
   */
  limitMs?(phrase: ThreadPhrase, isFirst: boolean): number
}

/** A phrase, and who receives its sound. */
export interface Execution<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  phrase: Phrase
  onSound(sound: Sound): void
  signal: AbortSignal
  /** How urgent it is among those of the thread: the lowest number comes first, then the newest phrase. Default: 0. */
  rank?: (() => number) | undefined
}

interface Speaking<Sound> {
  /** Its place in the memory that both sides share. */
  place: number
  onSound(sound: Sound): void
  rank(): number
  resolve(end: PhraseEnd): void
  reject(error: Error): void
  limitMs: number
}

const defaultLimitMs = ({ text }: ThreadPhrase, isFirst: boolean) =>
  (isFirst ? 30_000 : 10_000) + text.length * 100

/** A thread that speaks one phrase at a time, or goes from one to another while they are spoken, if its program can do that. */
export class SpeakingThread<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  readonly #worker: Worker
  readonly #limitMs: (phrase: ThreadPhrase, isFirst: boolean) => number
  readonly #signal = new Int32Array(new SharedArrayBuffer(4 * shared.length))
  #isAlive = true
  #isClosing = false
  #hasHung = false
  #isFirst = true
  #memoryBytes = 0
  /** The phrases by their numbers, the newest last. */
  readonly #speaking = new Map<number, Speaking<Sound>>()
  /** The phrase that the thread should work on. */
  #watched: { number: number; limit: NodeJS.Timeout } | undefined

  constructor({ program, data: given, resourceLimits, limitMs }: SpeakingThreadOptions) {
    this.#limitMs = limitMs ?? defaultLimitMs
    const workerData: ThreadData = { given, signal: this.#signal }
    // execArgv of this process may contain options that threads reject.
    this.#worker = new Worker(programPath(program), { workerData, execArgv: [], resourceLimits })
    this.#worker.on('message', (report: PhraseReport<Sound>) => this.#receive(report))
    this.#worker.on('error', (error) => this.#die(error))
    this.#worker.on('exit', (code) => this.#die(code))
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** The memory that it uses for speech, which never shrinks. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  /** How many phrases it has. */
  get phrases(): number {
    return this.#speaking.size
  }

  /**
   * Resolves after the last call of `onSound`, which receives the speech in pieces, with whether the phrase was stopped
   * before its end.
   * @throws {EngineError} `timeout` if the thread was stopped because it took too long, `unavailable` if it died. In both
   * cases it cannot be used again. Also `unavailable` if the program cannot speak the phrase. After an abort, it stops after the
   * piece that is being made.
   */
  async execute({
    phrase,
    onSound,
    signal,
    rank = () => 0,
  }: Execution<Phrase, Sound>): Promise<{ isStopped: boolean }> {
    if (!this.#isAlive) throw this.#deathOf()
    const number = Atomics.load(this.#signal, shared.posted) + 1
    const place = this.#freePlace()
    Atomics.store(this.#signal, shared.stop(place), 0)
    const stop = () => Atomics.store(this.#signal, shared.stop(place), 1)
    signal.addEventListener('abort', stop, { once: true })
    const limitMs = this.#limitMs(phrase, this.#isFirst)
    const ended = new Promise<PhraseEnd>((resolve, reject) => {
      this.#speaking.set(number, { place, onSound, rank, resolve, reject, limitMs })
    })
    this.#isFirst = false
    this.#rank()
    const posted: PostedPhrase<Phrase> = { number, place, phrase }
    this.#worker.postMessage(posted)
    Atomics.store(this.#signal, shared.posted, number)
    Atomics.notify(this.#signal, shared.posted)
    try {
      return await ended
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#worker.terminate()
  }

  #freePlace(): number {
    const taken = new Set([...this.#speaking.values()].map(({ place }) => place))
    let place = 0
    while (taken.has(place)) place += 1
    return place
  }

  #receive(report: PhraseReport<Sound>): void {
    const { number } = report
    const speaking = this.#speaking.get(number)
    if ('sound' in report) {
      speaking?.onSound(report.sound)
      this.#rank()
      return
    }
    this.#speaking.delete(number)
    this.#rank()
    if ('failure' in report) {
      speaking?.reject(new EngineError('unavailable', report.failure))
    } else {
      this.#memoryBytes = report.end.memoryBytes
      speaking?.resolve(report.end)
    }
  }

  /** Tells the thread which phrase it should work on, and limits the time for that one. */
  #rank(): void {
    let first: number | undefined
    let lowest = Number.POSITIVE_INFINITY
    for (const [number, { place, rank }] of this.#speaking) {
      const value = rank()
      Atomics.store(this.#signal, shared.rank(place), value)
      if (value > lowest) continue
      first = number
      lowest = value
    }
    this.#watch(first)
  }

  #watch(number: number | undefined): void {
    if (number === this.#watched?.number) return
    clearTimeout(this.#watched?.limit)
    const speaking = number === undefined ? undefined : this.#speaking.get(number)
    this.#watched = speaking && {
      number: number!,
      limit: setTimeout(() => this.#kill(), speaking.limitMs),
    }
  }

  #kill(): void {
    this.#hasHung = true
    void this.#worker.terminate()
  }

  #die(cause: unknown): void {
    this.#isAlive = false
    const present = Atomics.load(this.#signal, shared.present)
    // A thread may hang before it has begun its first phrase.
    const hung = this.#speaking.has(present) ? present : this.#watched?.number
    this.#watch(undefined)
    for (const [number, { reject }] of this.#speaking) {
      // Another thread can speak the phrases on which this one did not work.
      reject(this.#deathOf(cause, this.#hasHung && number === hung))
    }
    this.#speaking.clear()
  }

  #deathOf(cause?: unknown, hasHung = false): EngineError {
    const what = hasHung ? 'took too long and was stopped' : 'crashed'
    const message =
      this.#isClosing && !hasHung
        ? 'The thread that speaks was closed'
        : `The thread that speaks ${what}; it is being restarted`
    return new EngineError(hasHung ? 'timeout' : 'unavailable', message, { cause })
  }
}
