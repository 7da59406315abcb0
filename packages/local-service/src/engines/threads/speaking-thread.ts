import { type ResourceLimits, Worker } from 'node:worker_threads'
import { EngineError } from '../../errors/engine-error.ts'
import { programPath } from '../../processes/program.ts'
import type {
  PhraseEnd,
  PhraseReport,
  PieceOfSound,
  ThreadData,
  ThreadPhrase,
} from './serve-phrases.ts'

export interface SpeakingThreadOptions {
  /** The name of its program, such as `flite-worker`. */
  program: string
  /** What the program receives at its start. */
  data: unknown
  resourceLimits: ResourceLimits
  /**
   * Maximum time for a phrase, in milliseconds. For the first phrase it includes the start of the thread. Default: 10 s,
   * 30 s for the first phrase, plus a hundred times the usual duration.
   */
  limitMs?(phrase: ThreadPhrase, isFirst: boolean): number
}

interface Speaking<Sound> {
  onSound(sound: Sound): void
  resolve(end: PhraseEnd): void
  reject(error: Error): void
}

const defaultLimitMs = ({ text }: ThreadPhrase, isFirst: boolean) =>
  (isFirst ? 30_000 : 10_000) + text.length * 100

/** A thread that speaks one phrase at a time. */
export class SpeakingThread<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  readonly #worker: Worker
  readonly #limitMs: (phrase: ThreadPhrase, isFirst: boolean) => number
  /** The number of the latest phrase, and of the latest one that was stopped. */
  readonly #signal = new Int32Array(new SharedArrayBuffer(8))
  #isAlive = true
  #hasHung = false
  #isFirst = true
  #memoryBytes = 0
  #speaking: Speaking<Sound> | undefined
  #limit: NodeJS.Timeout | undefined

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

  /**
   * Resolves after the last call of `onSound`, which receives the speech in pieces, with whether the phrase was stopped
   * before its end.
   * @throws {EngineError} `timeout` if the thread was stopped because it took too long, `unavailable` if it died. In both
   * cases it cannot be used again. Also `unavailable` if the program cannot speak the phrase.
   */
  async speak(phrase: Phrase, onSound: (sound: Sound) => void): Promise<{ isStopped: boolean }> {
    if (!this.#isAlive) throw this.#deathOf()
    return new Promise((resolve, reject) => {
      this.#speaking = { onSound, resolve, reject }
      this.#limit = setTimeout(() => this.#kill(), this.#limitMs(phrase, this.#isFirst))
      this.#isFirst = false
      this.#worker.postMessage(phrase)
      Atomics.add(this.#signal, 0, 1)
      Atomics.notify(this.#signal, 0)
    })
  }

  /** Stops the phrase after the piece that is being made. */
  stop(): void {
    Atomics.store(this.#signal, 1, Atomics.load(this.#signal, 0))
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #receive(report: PhraseReport<Sound>): void {
    if ('sound' in report) return void this.#speaking?.onSound(report.sound)
    clearTimeout(this.#limit)
    if ('failure' in report) {
      this.#speaking?.reject(new EngineError('unavailable', report.failure))
    } else {
      this.#memoryBytes = report.end.memoryBytes
      this.#speaking?.resolve(report.end)
    }
    this.#speaking = undefined
  }

  #kill(): void {
    this.#hasHung = true
    void this.#worker.terminate()
  }

  #die(cause: unknown): void {
    clearTimeout(this.#limit)
    this.#isAlive = false
    this.#speaking?.reject(this.#deathOf(cause))
    this.#speaking = undefined
  }

  #deathOf(cause?: unknown): EngineError {
    const what = this.#hasHung ? 'took too long and was stopped' : 'crashed'
    const message = `The thread that speaks ${what}; it is being restarted`
    return new EngineError(this.#hasHung ? 'timeout' : 'unavailable', message, { cause })
  }
}
