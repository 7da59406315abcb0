import type { EngineErrorKind } from '../../errors/engine-error.ts'
import { measureGrowth, runProgram } from '../../processes/program.ts'
import type { Numbered } from '../../processes/restarting-program.ts'
import type { RecognisedUtterance } from '../recogniser.ts'

/** A program that recognises speech in its own process, several utterances in parallel. */
export interface RecogniserProgram<Info, Start> {
  /** What the parent needs to know before the first utterance. */
  info: Info
  /** @throws {UtteranceRequestError} if it cannot recognise the utterance as requested. */
  open(start: Start): ProgramUtterance | Promise<ProgramUtterance>
}

export interface ProgramUtterance {
  /** @returns the text so far; undefined if it is not wanted or not known. */
  write(samples: Int16Array): Promise<string | undefined> | string | undefined
  end(): Promise<RecognisedUtterance> | RecognisedUtterance
  /** Nothing more is said, and somebody waits for the result. Samples that are on their way still follow. */
  hurry?(): void
  /** Ends the utterance without a result. */
  cancel(): Promise<void> | void
}

/** A program rejects an utterance because of its request. The message is for the caller. */
export class UtteranceRequestError extends Error {}

/** Messages to the program. The work is an utterance. */
export type ToRecogniser<Start> =
  | { type: 'open'; start: Start }
  | { type: 'samples'; samples: Int16Array }
  /** Nothing more is said. The samples that wait still follow. */
  | { type: 'ending' }
  | { type: 'end' }
  | { type: 'cancel' }

/** Messages from the program. */
export type FromRecogniser =
  | { type: 'taken'; samples: number; text: string | undefined }
  | { type: 'ended'; result: RecognisedUtterance; grownBytes: number }
  | { type: 'cancelled' }
  | { type: 'failed'; kind: EngineErrorKind; reason: string }

/**
 * Runs a program in this process until the parent disconnects or ends. Messages of one utterance are handled one after
 * the other, those of different utterances in parallel.
 * @param open prepares the program. If it fails, the parent receives the reason.
 */
export async function runRecogniserProgram<Info, Start>(
  open: () => Promise<RecogniserProgram<Info, Start>>,
): Promise<void> {
  await runProgram<Info, Numbered<ToRecogniser<Start>>, Numbered<FromRecogniser>>(async (send) => {
    const program = await open()
    const grownBytes = measureGrowth()
    const utterances = new Map<number, RunningUtterance>()
    return {
      info: program.info,
      receive(message) {
        const { work } = message
        if (message.type !== 'open') return utterances.get(work)?.handle(message)
        const opened = (async () => program.open(message.start))()
        const report = (sent: FromRecogniser) => {
          if (sent.type !== 'taken') utterances.delete(work)
          send({ ...sent, work })
        }
        utterances.set(work, runUtterance(opened, grownBytes, report))
      },
    }
  })
}

type UtteranceMessage = Exclude<ToRecogniser<never>, { type: 'open' }>

interface RunningUtterance {
  handle(message: UtteranceMessage): void
}

/** @param report receives one report that is not `taken`, the last one. */
function runUtterance(
  opened: Promise<ProgramUtterance>,
  grownBytes: () => number,
  report: (report: FromRecogniser) => void,
): RunningUtterance {
  let isOver = false
  const finish = (last: FromRecogniser) => {
    isOver = true
    report(last)
  }
  const take = async (message: UtteranceMessage): Promise<void> => {
    const utterance = await opened
    if (message.type === 'samples') {
      const text = await utterance.write(message.samples)
      report({ type: 'taken', samples: message.samples.length, text })
    } else if (message.type === 'end') {
      const result = await utterance.end()
      finish({ type: 'ended', result, grownBytes: grownBytes() })
    } else {
      await utterance.cancel()
      finish({ type: 'cancelled' })
    }
  }
  const fail = (error: Error) => {
    if (isOver) return
    void opened.then((utterance) => utterance.cancel()).catch(() => {})
    const kind = error instanceof UtteranceRequestError ? 'input' : 'unavailable'
    finish({ type: 'failed', kind, reason: error.message })
  }
  let last = opened.then(() => {}, fail)
  return {
    handle(message) {
      if (message.type === 'ending') {
        void opened.then(
          (utterance) => utterance.hurry?.(),
          () => {},
        )
        return
      }
      last = last.then(async () => {
        if (!isOver) await take(message).catch(fail)
      })
    },
  }
}
