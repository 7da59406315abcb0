import { EngineError } from '../../errors.ts'
import type { Sound } from '../engine.ts'
import { type SpeakerProcess, startSpeakerProcess } from './child.ts'

/** A program in a process of its own that is always there: it is started again when it ends. */
export interface Speaker<Info, Phrase> {
  /** As it was at the first start. */
  info: Info
  /**
   * Speaks when its turn comes; phrases are spoken one by one.
   * @throws {EngineError} when the program fails; it is ready for the next phrase all the same. The signal's reason when it
   * was aborted.
   */
  speak(phrase: Phrase, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<void>
  close(): Promise<void>
}

export interface SpeakerOptions {
  /** As people are told of it. */
  name: string
  /** The program, by this package's own name. */
  programPath: string
  /** Asked for at every start. */
  programArguments(): readonly string[]
  /** How long one phrase may take. */
  phraseLimitMs: number
  /** A process whose memory has grown by more since it was ready is replaced before the next phrase. */
  maxGrowthBytes: number
  /** Hears what went wrong, without what was said. */
  warn(message: string): void
}

/** @throws {Error} when the program does not start. */
export async function openSpeaker<Info, Phrase>(
  options: SpeakerOptions,
): Promise<Speaker<Info, Phrase>> {
  const { name, phraseLimitMs, maxGrowthBytes } = options
  const start = () =>
    startSpeakerProcess<Info, Phrase>(options.programPath, options.programArguments())
  let current: SpeakerProcess<Info, Phrase> | undefined = await start()
  const { info } = current
  let lastPhrase: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const living = async () => {
    if (!current?.isAlive) current = await start()
    if (isClosed) await current.end()
    return current
  }

  const speak = async (phrase: Phrase, signal: AbortSignal, onSound: (sound: Sound) => void) => {
    signal.throwIfAborted()
    let isLate = false
    let running: SpeakerProcess<Info, Phrase> | undefined
    let limit: NodeJS.Timeout | undefined
    const cancel = () => running?.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      running = await living()
      signal.throwIfAborted()
      // Only now: the start has a limit of its own, and a limit that passed during it would end nothing.
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
    { message }: Error,
    { isLate, isAlive = false }: { isLate: boolean; isAlive?: boolean },
  ): EngineError => {
    // What went well up to here has an objection to this phrase.
    if (isAlive) return new EngineError('input', `${name} cannot speak it: ${message}`)
    const cause = isLate ? `it took longer than ${phraseLimitMs / 1000} s` : message
    if (!isClosed) options.warn(`${name} failed in the middle of a phrase: ${cause}`)
    return new EngineError(
      isLate ? 'timeout' : 'unavailable',
      `${name} could not speak: ${cause}. Ask again`,
    )
  }

  return {
    info,
    speak(phrase, signal, onSound) {
      const spoken = lastPhrase.then(() => speak(phrase, signal, onSound))
      lastPhrase = spoken.catch(() => {})
      return spoken
    },
    async close() {
      isClosed = true
      await current?.end()
    },
  }
}
