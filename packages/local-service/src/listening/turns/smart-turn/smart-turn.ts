import { existsSync } from 'node:fs'
import { programPath } from '../../../processes/program.ts'
import { RestartingProgram } from '../../../processes/restarting-program.ts'
import type { EndOfTurnModel } from '../detectors.ts'
import type { SmartTurnReport, SmartTurnRequest } from './smart-turn-program.ts'

export interface SmartTurnOptions {
  /** The path of the weights, if the package with them is installed. */
  weights: string | undefined
  /** Receives failures of the process. */
  warn(message: string): void
}

const idleLimitMs = 10 * 60_000
/** A judgement takes 0.1 s, and on the slowest machines some seconds. A process that takes longer hangs. */
const responseLimitMs = 30_000
const completeFrom = 0.5

/**
 * The network Smart Turn, which hears whether a speaker has finished, in a separate process: its work does not delay the sockets
 * of the service. @returns `undefined` if there are no weights.
 */
export function openSmartTurn({ weights, warn }: SmartTurnOptions): EndOfTurnModel | undefined {
  if (!weights || !existsSync(weights)) return undefined
  const name = 'The end-of-turn model'
  const program = new RestartingProgram<undefined, SmartTurnRequest, SmartTurnReport>({
    name,
    programPath: programPath('smart-turn-program'),
    readArguments: () => [weights],
    alternative: 'the service without it',
    idleLimitMs,
    warn,
    toEnd: () => ({ completeness: undefined }),
    describeEnd: () => `${name} failed: its process ended`,
  })
  /** If the program does not start, it has warned. */
  const begin = () => program.begin().catch(() => undefined)
  return {
    async prepare() {
      const work = await begin()
      work?.release()
    },
    async isComplete(samples) {
      const work = await begin()
      if (!work) return undefined
      const report = await new Promise<SmartTurnReport>((resolve) => {
        const limit = setTimeout(() => {
          const reason = `it did not respond for ${responseLimitMs / 1000} s`
          warn(`${name} failed: ${reason}`)
          work.endProcess(reason)
        }, responseLimitMs)
        work.onReport = (given) => {
          clearTimeout(limit)
          resolve(given)
        }
        work.send({ samples })
      })
      work.release()
      return report.completeness === undefined ? undefined : report.completeness > completeFrom
    },
    close: () => program.close(),
  }
}
