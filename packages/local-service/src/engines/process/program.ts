import type { Sound } from '../engine.ts'

/** A program that speaks in its own process. */
export interface SpeakerProgram<Info, Phrase> {
  /** What the parent needs to know before the first phrase. */
  info: Info
  /** @param onSound receives the sound in order and returns whether to continue. */
  speak(phrase: Phrase, onSound: (sound: Sound) => boolean): void | Promise<void>
}

/** Messages to the program. */
export type FromParent<Phrase> = { type: 'speak'; phrase: Phrase } | { type: 'cancel' }

/** Messages from the program. */
export type FromProgram<Info> =
  | { type: 'ready'; info: Info }
  | { type: 'sound'; sound: Sound }
  | { type: 'end'; grownBytes: number }
  | { type: 'failed'; reason: string }

/**
 * Runs a program in this process until the parent disconnects or ends. The parent sends one phrase at a time.
 * @param open prepares the program. If it fails, the parent receives the reason.
 */
export async function runSpeakerProgram<Info, Phrase>(
  open: () => Promise<SpeakerProgram<Info, Phrase>>,
): Promise<void> {
  const send = (message: FromProgram<Info>) => process.send?.(message)
  // Ctrl+C in a terminal reaches all processes, but only the parent decides when to end.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
  try {
    const program = await open()
    const startBytes = process.memoryUsage.rss()
    let isWanted = false
    const onSound = (sound: Sound) => {
      if (isWanted) send({ type: 'sound', sound })
      return isWanted
    }
    process.on('message', async (message: FromParent<Phrase>) => {
      isWanted = message.type === 'speak'
      if (message.type === 'cancel') return
      try {
        await program.speak(message.phrase, onSound)
        send({ type: 'end', grownBytes: process.memoryUsage.rss() - startBytes })
      } catch (error) {
        send({ type: 'failed', reason: (error as Error).message })
      }
    })
    send({ type: 'ready', info: program.info })
  } catch (error) {
    const { message } = error as Error
    process.send?.({ type: 'failed', reason: message }, () => process.exit(1))
  }
}
