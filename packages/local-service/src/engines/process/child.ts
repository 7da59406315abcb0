import { startChild } from '../../processes/child.ts'
import type { Sound } from '../engine.ts'
import type { FromParent, FromProgram, PhraseCost } from './program.ts'

/** A running child process that speaks one phrase at a time. It exits when this process exits. */
export interface SpeakerProcess<Info, Phrase> {
  info: Info
  /**
   * @throws {Error} if it rejects the phrase or ends while it speaks.
   */
  speak(phrase: Phrase, onSound: (sound: Sound) => void): Promise<PhraseCost>
  /** Asks the program to end the running phrase early. */
  cancel(): void
  readonly isAlive: boolean
  end(): Promise<void>
}

/**
 * Starts the program and resolves when it is ready.
 * @throws {Error} if it does not start. The first line of the message is the reason, the others are its output.
 */
export async function startSpeakerProcess<Info, Phrase>(
  programPath: string,
  programArguments: readonly string[],
): Promise<SpeakerProcess<Info, Phrase>> {
  let onReport: ((report: FromProgram) => void) | undefined
  const child = await startChild<Info, FromParent<Phrase>, FromProgram>(
    programPath,
    programArguments,
    (report) => onReport?.(report),
  )
  void child.exited.then(() => onReport?.({ type: 'failed', reason: 'its process ended' }))
  return {
    info: child.info,
    end: child.end,
    speak: (phrase, onSound) =>
      new Promise((resolve, reject) => {
        if (!child.isAlive) return reject(new Error('its process has ended'))
        onReport = (report) => {
          if (report.type === 'sound') return onSound(report.sound)
          onReport = undefined
          if (report.type === 'end') resolve(report)
          if (report.type === 'failed') reject(new Error(report.reason))
        }
        child.send({ type: 'speak', phrase })
      }),
    cancel: () => child.send({ type: 'cancel' }),
    get isAlive() {
      return child.isAlive
    },
  }
}
