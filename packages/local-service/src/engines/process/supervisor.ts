import { EngineError } from '../../engine-error.ts'
import { createMutex } from '../../mutex.ts'
import type { Sound } from '../engine.ts'
import { type SpeakerProcess, startSpeakerProcess } from './child.ts'

/** A program in its own process. It starts with the first phrase, and again for the next phrase after it has exited. */
export interface Speaker<Info, Phrase> {
  /**
   * Starts the program to ask for its information, and ends it.
   * @throws {Error} if it does not start.
   */
  readInfo(): Promise<Info>
  /**
   * Speaks a phrase when its turn comes. The program speaks one phrase at a time.
   * @throws {EngineError} if the program does not start or fails; the next phrase can be spoken anyway. The signal's
   * reason after an abort.
   */
  speak(phrase: Phrase, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<void>
  close(): Promise<void>
}

export interface SpeakerOptions {
  /** The name of the program in messages. */
  name: string
  /** The file of the program. */
  programPath: string
  programArguments: readonly string[]
  /** Maximum time for a phrase, in milliseconds. */
  phraseLimitMs: number
  /** If the memory of the process has grown by more than this since it was ready, the process is replaced. */
  maxGrowthBytes: number
  /** Receives failures of the process, never the text of a phrase. */
  warn(message: string): void
}

export function createSpeaker<Info, Phrase>(options: SpeakerOptions): Speaker<Info, Phrase> {
  const { name, programPath, programArguments, phraseLimitMs, maxGrowthBytes } = options
  const start = () => startSpeakerProcess<Info, Phrase>(programPath, programArguments)
  let current: SpeakerProcess<Info, Phrase> | undefined
  const exclusive = createMutex()
  let isClosed = false

  const ensureAlive = async () => {
    if (!current?.isAlive) current = await start().catch(rejectStart)
    if (isClosed) await current.end()
    return current
  }

  const rejectStart = ({ message }: Error): never => {
    if (!isClosed) options.warn(`${name} does not start: ${message}`)
    // The output of the program, which follows in other lines, is only for the log.
    const [reason] = message.split('\n', 1)
    throw new EngineError(
      'unavailable',
      `${name} does not start: ${reason}. Install it again, or use another voice`,
    )
  }

  const speak = async (phrase: Phrase, signal: AbortSignal, onSound: (sound: Sound) => void) => {
    signal.throwIfAborted()
    let isLate = false
    let running: SpeakerProcess<Info, Phrase> | undefined
    let limit: NodeJS.Timeout | undefined
    const cancel = () => running?.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      running = await ensureAlive()
      signal.throwIfAborted()
      // Set after the start, which has its own limit: if it expired during the start, it would not end the new process.
      limit = setTimeout(() => {
        isLate = true
        void running?.end()
      }, phraseLimitMs)
      const { grownBytes } = await running.speak(phrase, (sound) => {
        if (!signal.aborted) onSound(sound)
      })
      if (grownBytes > maxGrowthBytes) await running.end()
    } catch (error) {
      if (!signal.aborted)
        throw toEngineError(error as Error, { isLate, isAlive: running?.isAlive })
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', cancel)
    }
    signal.throwIfAborted()
  }

  const toEngineError = (
    error: Error,
    { isLate, isAlive = false }: { isLate: boolean; isAlive?: boolean },
  ): EngineError => {
    if (error instanceof EngineError) return error
    const { message } = error
    // A program that is still alive rejected this phrase.
    if (isAlive) return new EngineError('input', `${name} cannot speak the phrase: ${message}`)
    const cause = isLate ? `it took longer than ${phraseLimitMs / 1000} s` : message
    if (!isClosed) options.warn(`${name} failed during a phrase: ${cause}`)
    return new EngineError(
      isLate ? 'timeout' : 'unavailable',
      `${name} could not speak: ${cause}. Try again`,
    )
  }

  return {
    async readInfo() {
      const program = await start()
      await program.end()
      return program.info
    },
    speak: (phrase, signal, onSound) => exclusive(() => speak(phrase, signal, onSound)),
    async close() {
      isClosed = true
      await current?.end()
    },
  }
}
