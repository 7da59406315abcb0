import type { Sound } from '../engine.ts'

/** What a program does that speaks in a process of its own. */
export interface SpeakerProgram<Info, Phrase> {
  /** What the parent wants to know before it asks for phrases. */
  info: Info
  /** @param onSound takes a piece, in order, and returns whether more is wanted. */
  speak(phrase: Phrase, onSound: (sound: Sound) => boolean): void | Promise<void>
}

export type FromParent<Phrase> = { type: 'speak'; phrase: Phrase } | { type: 'cancel' }

export type FromProgram<Info> =
  | { type: 'ready'; info: Info }
  | { type: 'sound'; sound: Sound }
  | { type: 'end'; grownBytes: number }
  | { type: 'failed'; reason: string }

/**
 * Runs the program in this process until the parent lets go of it or dies. The parent asks for one phrase at a time.
 * @param open makes it ready; when it fails, the parent hears why.
 */
export async function runSpeakerProgram<Info, Phrase>(
  open: () => Promise<SpeakerProgram<Info, Phrase>>,
): Promise<void> {
  const send = (message: FromProgram<Info>) => process.send?.(message)
  // Ctrl+C in a terminal reaches this process as well; it is for the parent.
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
