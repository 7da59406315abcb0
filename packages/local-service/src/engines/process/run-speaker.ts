import { measureGrowth, runProgram } from '../../processes/program.ts'
import type { Numbered } from '../../processes/restarting-program.ts'
import type { PhraseSound } from '../engine.ts'

/** A program that speaks in its own process. */
export interface SpeakerProgram<Info, Phrase> {
  /** What the parent needs to know before the first phrase. */
  info: Info
  /** @param onSound receives the sound in order and returns whether to continue. */
  speak(phrase: Phrase, onSound: (sound: PhraseSound) => boolean): void | Promise<void>
}

/** Messages to the program. */
export type ToSpeaker<Phrase> = { type: 'speak'; phrase: Phrase } | { type: 'cancel' }

/** What a phrase took. */
export interface PhraseCost {
  /** How long the program worked, without its start. */
  workSeconds: number
  /** The memory of the process after the phrase. */
  memoryBytes: number
  /** How much memory it has gained since the program was ready. */
  grownBytes: number
}

/** Reports of the program, or on its end. */
export type FromSpeaker =
  | { type: 'sound'; sound: PhraseSound }
  | ({ type: 'end' } & PhraseCost)
  /** The program rejects the phrase. */
  | { type: 'failed'; reason: string }
  /** The process has ended, or ends because it took too long. */
  | { type: 'lost' | 'late'; reason: string }

/**
 * Runs a program in this process until the parent disconnects or ends. The parent sends one phrase at a time.
 * @param open prepares the program. If it fails, the parent receives the reason.
 */
export async function runSpeakerProgram<Info, Phrase>(
  open: () => Promise<SpeakerProgram<Info, Phrase>>,
): Promise<void> {
  await runProgram<Info, Numbered<ToSpeaker<Phrase>>, Numbered<FromSpeaker>>(async (send) => {
    const program = await open()
    const grownBytes = measureGrowth()
    let isWanted = false
    const speak = async (phrase: Phrase, work: number) => {
      const onSound = (sound: PhraseSound) => {
        if (isWanted) send({ work, type: 'sound', sound })
        return isWanted
      }
      try {
        const startMs = performance.now()
        await program.speak(phrase, onSound)
        const workSeconds = (performance.now() - startMs) / 1000
        const memoryBytes = process.memoryUsage.rss()
        send({ work, type: 'end', workSeconds, memoryBytes, grownBytes: grownBytes() })
      } catch (error) {
        send({ work, type: 'failed', reason: (error as Error).message })
      }
    }
    return {
      info: program.info,
      receive(message) {
        isWanted = message.type === 'speak'
        if (message.type === 'speak') void speak(message.phrase, message.work)
      },
    }
  })
}
