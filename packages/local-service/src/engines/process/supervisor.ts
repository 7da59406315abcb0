import { createMutex } from '../../concurrency.ts'
import { EngineError } from '../../engine-error.ts'
import { toStartError } from '../../processes/child.ts'
import type { Sound } from '../engine.ts'
import { type SpeakerProcess, startSpeakerProcess } from './child.ts'
import type { PhraseCost } from './program.ts'

/** A program in its own process. It starts with the first phrase, and again for the next phrase after it has exited. */
export interface Speaker<Info, Phrase> {
  /**
   * Starts the program to ask for its information, and ends it.
   * @param tryOut uses the program before it ends.
   * @throws {Error} if it does not start, and the error of `tryOut`.
   */
  readInfo(tryOut?: (program: SpeakerProcess<Info, Phrase>) => Promise<unknown>): Promise<Info>
  /**
   * Speaks a phrase when its turn comes. The program speaks one phrase at a time.
   * @throws {EngineError} if the program does not start or fails; the next phrase can be spoken anyway. The signal's
   * reason after an abort.
   */
  speak(phrase: Phrase, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<PhraseCost>
  /** Whether the process runs, and takes memory. */
  readonly isAlive: boolean
  /** Ends the process after the running phrase. It starts again with the next one. */
  unload(): Promise<void>
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
  /** Called before each start. @throws {EngineError} if the program must not start now. */
  beforeStart?(): Promise<void>
  /** Receives failures of the process, never the text of a phrase. */
  warn(message: string): void
}

export function createSpeaker<Info, Phrase>(options: SpeakerOptions): Speaker<Info, Phrase> {
  const { name, programPath, programArguments, phraseLimitMs, maxGrowthBytes } = options
  const start = async () => {
    await options.beforeStart?.()
    return startSpeakerProcess<Info, Phrase>(programPath, programArguments)
  }
  let current: SpeakerProcess<Info, Phrase> | undefined
  const exclusive = createMutex()
  let isClosed = false

  const ensureAlive = async () => {
    if (!current?.isAlive) current = await start().catch(rejectStart)
    if (isClosed) await current.end()
    return current
  }

  const rejectStart = (error: Error): never => {
    if (!isClosed) options.warn(`${name} does not start: ${error.message}`)
    throw toStartError(name, error, 'another voice')
  }

  const speak = async (
    phrase: Phrase,
    signal: AbortSignal,
    onSound: (sound: Sound) => void,
  ): Promise<PhraseCost> => {
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
      const cost = await running.speak(phrase, (sound) => {
        if (!signal.aborted) onSound(sound)
      })
      if (cost.grownBytes > maxGrowthBytes) await running.end()
      signal.throwIfAborted()
      return cost
    } catch (error) {
      signal.throwIfAborted()
      throw toEngineError(error as Error, { isLate, isAlive: running?.isAlive })
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', cancel)
    }
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
    async readInfo(tryOut) {
      const program = await start()
      try {
        await tryOut?.(program)
      } finally {
        await program.end()
      }
      return program.info
    },
    speak: (phrase, signal, onSound) => exclusive(() => speak(phrase, signal, onSound)),
    get isAlive() {
      return current?.isAlive ?? false
    },
    unload: () => exclusive(async () => current?.end()),
    async close() {
      isClosed = true
      await current?.end()
    },
  }
}
