import { startChild } from '../../../processes/child.ts'
import { programPath } from '../../../processes/program-path.ts'
import type { SileroReport, SileroRequest } from './silero-program.ts'

/** A running process that judges the sound of several streams. */
export interface SileroProcess {
  /**
   * @param samples complete frames of 20 ms.
   * @returns whether somebody speaks, for each frame.
   * @throws {Error} if the process has ended or does not respond.
   */
  judge(stream: number, samples: Int16Array): Promise<readonly boolean[]>
  /** Frees what a stream takes. */
  close(stream: number): void
  end(): Promise<void>
}

// A second of sound takes a few milliseconds.
const responseLimitMs = 10_000

interface Receiver {
  resolve(frames: readonly boolean[]): void
  reject(error: Error): void
}

/** @throws {Error} if the process does not start: for example, because the model is damaged. */
export async function createSileroProcess(
  packagePath: string,
  model: string,
): Promise<SileroProcess> {
  const receivers = new Map<number, Receiver>()
  const child = await startChild<undefined, SileroRequest, SileroReport>(
    programPath('silero-program'),
    [packagePath, model],
    ({ stream, frames }) => receivers.get(stream)?.resolve(frames),
  )
  void child.exited.then(() => {
    for (const { reject } of receivers.values()) reject(new Error('its process ended'))
  })

  return {
    async judge(stream, samples) {
      if (!child.isAlive) throw new Error('its process ended')
      let limit: NodeJS.Timeout | undefined
      try {
        return await new Promise((resolve, reject) => {
          receivers.set(stream, { resolve, reject })
          const late = new Error(`it did not respond for ${responseLimitMs / 1000} s`)
          limit = setTimeout(reject, responseLimitMs, late)
          child.send({ stream, type: 'samples', samples })
        })
      } finally {
        clearTimeout(limit)
        receivers.delete(stream)
      }
    },
    close: (stream) => child.send({ stream, type: 'close' }),
    end: () => child.end(),
  }
}
