import { type ResourceLimits, Worker } from 'node:worker_threads'
import { EngineError } from '../../errors/engine-error.ts'
import { programPath } from '../../processes/program.ts'
import {
  maxPhrases,
  type PhraseEnd,
  type PhraseReport,
  type PieceOfSound,
  type PostedPhrase,
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
   * Maximum time for a phrase, in milliseconds, which begins again when another one has interrupted it. For the first phrase it
   * includes the start of the thread. Default: 10 s, 30 s for the first phrase, plus a hundred times the usual duration.
   */
  limitMs?(phrase: ThreadPhrase, isFirst: boolean): number
}

interface Speaking<Sound> {
  /** Where the signal says whether to stop it. */
  place: number
  onSound(sound: Sound): void
  resolve(end: PhraseEnd): void
  reject(error: Error): void
  limitMs: number
  limit?: NodeJS.Timeout
}

const defaultLimitMs = ({ text }: ThreadPhrase, isFirst: boolean) =>
  (isFirst ? 30_000 : 10_000) + text.length * 100

/** A thread that speaks one phrase at a time. A further one interrupts it, if its program can do that. */
export class SpeakingThread<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  readonly #worker: Worker
  readonly #limitMs: (phrase: ThreadPhrase, isFirst: boolean) => number
  readonly #signal = new Int32Array(new SharedArrayBuffer(4 * (1 + maxPhrases)))
  #isAlive = true
  #isClosing = false
  #hasHung = false
  #isFirst = true
  #memoryBytes = 0
  /** The phrases by their numbers, the one that speaks last. */
  readonly #speaking = new Map<number, Speaking<Sound>>()

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
  async execute(
    phrase: Phrase,
    onSound: (sound: Sound) => void,
    signal: AbortSignal,
  ): Promise<{ isStopped: boolean }> {
    if (!this.#isAlive) throw this.#deathOf()
    const number = Atomics.load(this.#signal, 0) + 1
    const place = this.#freePlace()
    Atomics.store(this.#signal, place, 0)
    const stop = () => Atomics.store(this.#signal, place, 1)
    signal.addEventListener('abort', stop, { once: true })
    const limitMs = this.#limitMs(phrase, this.#isFirst)
    this.#stopLimit()
    const ended = new Promise<PhraseEnd>((resolve, reject) => {
      this.#speaking.set(number, { place, onSound, resolve, reject, limitMs })
    })
    this.#startLimit()
    this.#isFirst = false
    const posted: PostedPhrase<Phrase> = { number, place, phrase }
    this.#worker.postMessage(posted)
    Atomics.store(this.#signal, 0, number)
    Atomics.notify(this.#signal, 0)
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

  /** One that no other phrase has: an interrupted phrase keeps its own. */
  #freePlace(): number {
    const taken = new Set([...this.#speaking.values()].map(({ place }) => place))
    let place = 1
    while (taken.has(place)) place += 1
    return place
  }

  #receive(report: PhraseReport<Sound>): void {
    const speaking = this.#speaking.get(report.number)
    if ('sound' in report) return void speaking?.onSound(report.sound)
    this.#stopLimit()
    this.#speaking.delete(report.number)
    this.#startLimit()
    if ('failure' in report) {
      speaking?.reject(new EngineError('unavailable', report.failure))
    } else {
      this.#memoryBytes = report.end.memoryBytes
      speaking?.resolve(report.end)
    }
  }

  /** The phrase that is being spoken: the others are interrupted. */
  get #present(): Speaking<Sound> | undefined {
    return [...this.#speaking.values()].at(-1)
  }

  #startLimit(): void {
    const present = this.#present
    if (present) present.limit = setTimeout(() => this.#kill(), present.limitMs)
  }

  #stopLimit(): void {
    clearTimeout(this.#present?.limit)
  }

  #kill(): void {
    this.#hasHung = true
    void this.#worker.terminate()
  }

  #die(cause: unknown): void {
    this.#isAlive = false
    this.#stopLimit()
    for (const [, { reject }] of [...this.#speaking].reverse()) {
      reject(this.#deathOf(cause))
      // Another thread can speak the phrases that it has interrupted.
      this.#hasHung = false
    }
    this.#speaking.clear()
  }

  #deathOf(cause?: unknown): EngineError {
    const what = this.#hasHung ? 'took too long and was stopped' : 'crashed'
    const message =
      this.#isClosing && !this.#hasHung
        ? 'The thread that speaks was closed'
        : `The thread that speaks ${what}; it is being restarted`
    return new EngineError(this.#hasHung ? 'timeout' : 'unavailable', message, { cause })
  }
}
