import type { EngineErrorKind } from '../../errors/engine-error.ts'
import { runProgram } from '../../processes/program.ts'
import type { Numbered } from '../../processes/restarting-program.ts'
import type { WakeWordDetection } from '../wake-word-detector.ts'

/** A stream in the process of a detector. */
export interface ProgramStream {
  push(samples: Int16Array): readonly WakeWordDetection[]
  /** Ends the sound. */
  end(): readonly WakeWordDetection[]
  close(): void
}

/** A program rejects a stream because of its request. The message is for the caller. */
export class StreamRequestError extends Error {}

/** Messages to the program. The work is a stream. Each message but `close` gets one report. */
export type ToDetector<Start> =
  | { type: 'open'; start: Start }
  | { type: 'samples'; samples: Int16Array }
  | { type: 'end' }
  | { type: 'close' }

/** Messages from the program. */
export type FromDetector =
  | { type: 'found'; detections: readonly WakeWordDetection[] }
  | { type: 'failed'; kind: EngineErrorKind; reason: string }

/**
 * Runs a detector in this process until the parent disconnects or ends.
 * @param prepare loads what the streams share. If it fails, the parent receives the reason.
 * @returns of `prepare`: opens a stream. It throws {StreamRequestError} if it cannot find what the stream requests.
 */
export async function runDetectorProgram<Start>(
  prepare: () => Promise<(start: Start) => ProgramStream>,
): Promise<void> {
  await runProgram<undefined, Numbered<ToDetector<Start>>, Numbered<FromDetector>>(async (send) => {
    const open = await prepare()
    const streams = new Map<number, ProgramStream>()
    const close = (work: number) => {
      streams.get(work)?.close()
      streams.delete(work)
    }
    const handle = (message: Numbered<ToDetector<Start>>): readonly WakeWordDetection[] => {
      if (message.type === 'open') {
        streams.set(message.work, open(message.start))
        return []
      }
      const stream = streams.get(message.work)
      if (message.type === 'samples') return stream?.push(message.samples) ?? []
      return stream?.end() ?? []
    }
    return {
      info: undefined,
      receive(message) {
        const { work } = message
        if (message.type === 'close') return close(work)
        try {
          send({ work, type: 'found', detections: handle(message) })
        } catch (error) {
          close(work)
          const kind = error instanceof StreamRequestError ? 'input' : 'unavailable'
          send({ work, type: 'failed', kind, reason: (error as Error).message })
        }
      },
    }
  })
}
