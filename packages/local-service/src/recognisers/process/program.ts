import type { EngineErrorKind } from '../../engine-error.ts'
import { runProgram } from '../../processes/program.ts'
import type { RecognisedUtterance } from '../recogniser.ts'

/** A program that recognises speech in its own process, several utterances in parallel. */
export interface RecogniserProgram<Info, Start> {
  /** What the parent needs to know before the first utterance. */
  info: Info
  /** @throws {InputError} if it cannot recognise the utterance as requested. */
  open(start: Start): ProgramUtterance | Promise<ProgramUtterance>
}

export interface ProgramUtterance {
  /** @returns the text so far; undefined if it is not wanted or not known. */
  write(samples: Int16Array): Promise<string | undefined> | string | undefined
  end(): Promise<RecognisedUtterance> | RecognisedUtterance
  /** Ends the utterance without a result. */
  cancel(): Promise<void> | void
}

/** A program rejects an utterance because of its request. The message is for the caller. */
export class InputError extends Error {}

/** Messages to the program. Each utterance has a number. */
export type FromParent<Start> = { utterance: number } & (
  | { type: 'open'; start: Start }
  | { type: 'samples'; samples: Int16Array }
  | { type: 'end' }
  | { type: 'cancel' }
)

/** Messages from the program. */
export type FromProgram = { utterance: number } & (
  | { type: 'taken'; samples: number; text: string | undefined }
  | { type: 'ended'; result: RecognisedUtterance; grownBytes: number }
  | { type: 'cancelled' }
  | { type: 'failed'; kind: EngineErrorKind; reason: string }
)

/**
 * Runs a program in this process until the parent disconnects or ends. Messages of one utterance are handled one after
 * the other, those of different utterances in parallel.
 * @param open prepares the program. If it fails, the parent receives the reason.
 */
export async function runRecogniserProgram<Info, Start>(
  open: () => Promise<RecogniserProgram<Info, Start>>,
): Promise<void> {
  await runProgram<Info, FromParent<Start>, FromProgram>(async (send) => {
    const program = await open()
    const startBytes = process.memoryUsage.rss()
    const utterances = new Map<number, { opened: Promise<ProgramUtterance>; last: Promise<void> }>()

    const handle = async (
      message: Exclude<FromParent<Start>, { type: 'open' }>,
      utterance: ProgramUtterance,
    ) => {
      const { utterance: number } = message
      if (message.type === 'samples') {
        const text = await utterance.write(message.samples)
        send({ utterance: number, type: 'taken', samples: message.samples.length, text })
      } else if (message.type === 'end') {
        const result = await utterance.end()
        const grownBytes = process.memoryUsage.rss() - startBytes
        utterances.delete(number)
        send({ utterance: number, type: 'ended', result, grownBytes })
      } else {
        await utterance.cancel()
        utterances.delete(number)
        send({ utterance: number, type: 'cancelled' })
      }
    }

    const fail = (number: number, error: Error) => {
      const running = utterances.get(number)
      if (!running) return
      utterances.delete(number)
      void running.opened.then((utterance) => utterance.cancel()).catch(() => {})
      const kind = error instanceof InputError ? 'input' : 'unavailable'
      send({ utterance: number, type: 'failed', kind, reason: error.message })
    }

    return {
      info: program.info,
      receive(message) {
        const { utterance: number } = message
        if (message.type === 'open') {
          const opened = (async () => program.open(message.start))()
          const last = opened.then(
            () => {},
            (error) => fail(number, error),
          )
          utterances.set(number, { opened, last })
          return
        }
        const running = utterances.get(number)
        if (!running) return
        running.last = running.last.then(async () => {
          // It has failed in the meantime.
          if (!utterances.has(number)) return
          await handle(message, await running.opened).catch((error) => fail(number, error))
        })
      },
    }
  })
}
