import { EngineError } from '../../errors.ts'
import type { FlitePhrase, FliteSpeech } from './flite-program.ts'
import type { FliteThread } from './flite-thread.ts'

/** The threads of all voices. */
export interface ThreadPool {
  /** @throws {EngineError} when the phrase could not be spoken; the voice is ready for the next one all the same. */
  speak(voice: string, phrase: FlitePhrase): Promise<FliteSpeech>
  readonly alive: number
  /** How many died or grew too large since the start, and made way for new ones. */
  readonly replaced: number
  close(): Promise<void>
}

export interface ThreadPoolOptions {
  start(voice: string): FliteThread
  /** No more stay than this; the one that was not needed for the longest time goes first. */
  maxThreads: number
  /**
   * A thread that holds more is replaced, since it never shrinks again. Default 100 MiB: it starts with 23, and only
   * odd phrases, such as one of thousands of letters, make it grow.
   */
  maxMemoryBytes?: number
}

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { start, maxThreads, maxMemoryBytes = 100 * 1024 * 1024 } = options
  const busy = new Set<FliteThread>()
  // The longest unused first.
  const idle: FliteThread[] = []
  let replaced = 0
  let isClosed = false

  const acquire = (voice: string): FliteThread => {
    // A phrase may get its turn because closing ended the one before it.
    if (isClosed) throw new EngineError('unavailable', 'The voices are closed')
    const at = idle.findLastIndex((thread) => thread.voice === voice)
    const [kept] = at === -1 ? [] : idle.splice(at, 1)
    if (kept && !kept.isAlive) replaced += 1
    const thread = kept?.isAlive ? kept : start(voice)
    busy.add(thread)
    return thread
  }

  const release = (thread: FliteThread) => {
    busy.delete(thread)
    if (isClosed) return
    if (thread.isAlive && thread.memoryBytes <= maxMemoryBytes) {
      idle.push(thread)
    } else {
      void thread.close()
      replaced += 1
      // At once, so that the next phrase finds it started.
      idle.push(start(thread.voice))
    }
    while (idle.length > 0 && idle.length + busy.size > maxThreads) void idle.shift()!.close()
  }

  const speakOnce = async (voice: string, phrase: FlitePhrase): Promise<FliteSpeech> => {
    const thread = acquire(voice)
    try {
      return await thread.speak(phrase)
    } finally {
      release(thread)
    }
  }

  return {
    async speak(voice, phrase) {
      try {
        return await speakOnce(voice, phrase)
      } catch (error) {
        // Nobody has heard anything of the phrase yet, so it is safe to begin again. A phrase that hung is not tried
        // again: it would hold up everybody for another ten seconds.
        const hasDied = error instanceof EngineError && error.kind === 'unavailable'
        if (!hasDied || isClosed) throw error
        return await speakOnce(voice, phrase)
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
      await Promise.all([...idle, ...busy].map((thread) => thread.close()))
    },
  }
}
