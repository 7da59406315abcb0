import { EngineError } from '../../engine-error.ts'
import type { SpeakingThread } from './speaking-thread.ts'
import type { PieceOfSound, ThreadPhrase } from './thread-protocol.ts'

/** Threads, each of which speaks with any voice of the engine. */
export interface ThreadPool<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  /**
   * Resolves after the last call of `onSound`, which receives the speech in pieces.
   * @throws {EngineError} if the phrase could not be spoken; the pool can speak the next one anyway. The signal's reason if
   * an abort stopped the phrase before its end.
   */
  speak(phrase: Phrase, onSound: (sound: Sound) => void, signal: AbortSignal): Promise<void>
  readonly alive: number
  /** How many were replaced since the start, because they crashed, hung or grew too large. */
  readonly replaced: number
  close(): Promise<void>
}

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
}

export function createThreadPool<Phrase extends ThreadPhrase, Sound extends PieceOfSound>(
  options: ThreadPoolOptions<Phrase, Sound>,
): ThreadPool<Phrase, Sound> {
  type Thread = SpeakingThread<Phrase, Sound>
  const { start, maxThreads, maxMemoryBytes = 100 * 1024 * 1024, maxIdleMs } = options
  const busy = new Set<Thread>()
  // The least recently used first.
  const idle: Thread[] = []
  let idleTimer: NodeJS.Timeout | undefined
  let replaced = 0
  let isClosed = false

  const closeIdle = () => {
    for (const thread of idle.splice(0)) void thread.close()
  }

  const acquire = (): Thread => {
    clearTimeout(idleTimer)
    // Closing ends a running phrase, which may start the next one in the scheduler.
    if (isClosed) throw new EngineError('unavailable', 'The voices are closed')
    const kept = idle.pop()
    if (kept && !kept.isAlive) replaced += 1
    const thread = kept?.isAlive ? kept : start()
    busy.add(thread)
    return thread
  }

  const release = (thread: Thread) => {
    busy.delete(thread)
    if (isClosed) return
    if (thread.isAlive && thread.memoryBytes <= maxMemoryBytes) {
      idle.push(thread)
    } else {
      void thread.close()
      replaced += 1
      // Started now, so that the next phrase does not wait for it.
      idle.push(start())
    }
    while (idle.length > 0 && idle.length + busy.size > maxThreads) void idle.shift()!.close()
    if (maxIdleMs !== undefined && busy.size === 0) {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(closeIdle, maxIdleMs).unref()
    }
  }

  const speakOnce: ThreadPool<Phrase, Sound>['speak'] = async (phrase, onSound, signal) => {
    signal.throwIfAborted()
    const thread = acquire()
    signal.addEventListener('abort', thread.stop, { once: true })
    try {
      const { isStopped } = await thread.speak(phrase, onSound)
      if (isStopped) signal.throwIfAborted()
    } finally {
      signal.removeEventListener('abort', thread.stop)
      release(thread)
    }
  }

  return {
    async speak(phrase, onSound, signal) {
      let { passedOnSamples = 0 } = phrase
      const passOn = (sound: Sound) => {
        passedOnSamples += sound.samples.length
        onSound(sound)
      }
      const speakRest = () => speakOnce({ ...phrase, passedOnSamples }, passOn, signal)
      try {
        await speakRest()
      } catch (error) {
        // A phrase that timed out is not retried: it would block other phrases for another ten seconds.
        const hasDied = error instanceof EngineError && error.kind === 'unavailable'
        if (!hasDied || isClosed) throw error
        await speakRest()
      }
    },
    get alive() {
      return [...idle, ...busy].filter((thread) => thread.isAlive).length
    },
    get replaced() {
      return replaced
    },
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      await Promise.all([...idle, ...busy].map((thread) => thread.close()))
    },
  }
}
