import { EngineError } from '../../errors/engine-error.ts'
import { returnFreedMemory } from '../../machine/freed-memory.ts'
import { maxPhrases, type PieceOfSound, type ThreadPhrase } from './serve-phrases.ts'
import type { Execution, SpeakingThread } from './speaking-thread.ts'

const defaultMaxMemoryBytes = 100 * 1024 * 1024

export interface ThreadPoolOptions<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  start(): SpeakingThread<Phrase, Sound>
  /** Above this number, the least recently used idle thread is closed. */
  maxThreads: number
  /**
   * A thread with more memory is replaced, because its memory never shrinks. Default 100 MiB: a thread of flite starts with
   * 21, and only unusual phrases, such as one with thousands of letters, make it grow.
   */
  maxMemoryBytes?: number
  /** After this time in which no thread speaks, all are closed. Default: they stay. */
  maxIdleMs?: number
  /** Whether the program of the threads can leave a phrase for a more urgent one, and go on with it later. Default: no. */
  canInterrupt?: boolean
}

/** Threads, each of which speaks with any voice of the engine. */
export class ThreadPool<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  readonly #options: ThreadPoolOptions<Phrase, Sound>
  readonly #busy = new Set<SpeakingThread<Phrase, Sound>>()
  /** The least recently used first. */
  readonly #idle: SpeakingThread<Phrase, Sound>[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #replaced = 0
  #isClosed = false

  constructor(options: ThreadPoolOptions<Phrase, Sound>) {
    this.#options = options
  }

  get alive(): number {
    return [...this.#idle, ...this.#busy].filter((thread) => thread.isAlive).length
  }

  /** How many were replaced since the start, because they crashed, hung or grew too large. */
  get replaced(): number {
    return this.#replaced
  }

  /**
   * Resolves after the last call of `onSound`, which receives the speech in pieces.
   * @throws {EngineError} if the phrase could not be spoken; the pool can speak the next one anyway. The signal's reason if
   * an abort stopped the phrase before its end.
   */
  async run({ phrase, onSound, ...execution }: Execution<Phrase, Sound>): Promise<void> {
    let { passedOnSamples = 0 } = phrase
    const passOn = (sound: Sound) => {
      passedOnSamples += sound.samples.length
      onSound(sound)
    }
    const runRest = () =>
      this.#runOnThread({ phrase: { ...phrase, passedOnSamples }, onSound: passOn, ...execution })
    try {
      await runRest()
    } catch (error) {
      // A phrase that timed out is not retried: it would block other phrases for another ten seconds.
      const mayRetry = error instanceof EngineError && error.kind === 'unavailable'
      if (!mayRetry || this.#isClosed) throw error
      await runRest()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    await Promise.all([...this.#idle, ...this.#busy].map((thread) => thread.close()))
  }

  async #runOnThread(execution: Execution<Phrase, Sound>): Promise<void> {
    const { signal } = execution
    signal.throwIfAborted()
    const thread = this.#acquire()
    try {
      const { isStopped } = await thread.execute(execution)
      if (isStopped) signal.throwIfAborted()
    } finally {
      this.#release(thread)
    }
  }

  #acquire(): SpeakingThread<Phrase, Sound> {
    clearTimeout(this.#idleTimer)
    // Closing ends a running phrase, which may start the next one in the scheduler.
    if (this.#isClosed) throw new EngineError('unavailable', 'The voices are closed')
    const interrupted = this.#idle.length === 0 ? this.#findInterruptible() : undefined
    if (interrupted) return interrupted
    const kept = this.#idle.pop()
    if (kept && !kept.isAlive) this.#replaced += 1
    const thread = kept?.isAlive ? kept : this.#options.start()
    this.#busy.add(thread)
    return thread
  }

  /** The thread with the fewest phrases, if there are as many threads as there may be. */
  #findInterruptible(): SpeakingThread<Phrase, Sound> | undefined {
    const { canInterrupt = false, maxThreads } = this.#options
    if (!canInterrupt || this.#busy.size < maxThreads) return undefined
    const alive = [...this.#busy].filter(({ isAlive, phrases }) => isAlive && phrases < maxPhrases)
    return alive.sort((one, other) => one.phrases - other.phrases)[0]
  }

  #release(thread: SpeakingThread<Phrase, Sound>): void {
    const { start, maxThreads, maxMemoryBytes = defaultMaxMemoryBytes, maxIdleMs } = this.#options
    const idle = this.#idle
    if (thread.isAlive && thread.phrases > 0) return
    if (!this.#busy.delete(thread)) return
    if (this.#isClosed) return
    if (thread.isAlive && thread.memoryBytes <= maxMemoryBytes) {
      idle.push(thread)
    } else {
      void thread.close()
      this.#replaced += 1
      // Started now, so that the next phrase does not wait for it.
      idle.push(start())
    }
    while (idle.length > 0 && idle.length + this.#busy.size > maxThreads) void idle.shift()!.close()
    if (maxIdleMs === undefined || this.#busy.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.#closeIdle(), maxIdleMs).unref()
  }

  async #closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.close()))
    returnFreedMemory()
  }
}
