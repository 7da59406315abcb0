import { readFileSync } from 'node:fs'
import { fromInt16 } from '../../../audio/pcm.ts'
import { readWeights } from '../../../neural-networks/weights.ts'
import { runProgram } from '../../../processes/program.ts'
import type { Numbered } from '../../../processes/restarting-program.ts'
import { completeness } from './completeness.ts'

/** A request to this program: the end of what was said, at most 8 s of 16 kHz. */
export interface SmartTurnRequest {
  samples: Int16Array
}

/** How likely the speaker has finished, 0…1; undefined if the process has ended. */
export interface SmartTurnReport {
  completeness: number | undefined
}

const [weightsPath = ''] = process.argv.slice(2)

await runProgram<undefined, Numbered<SmartTurnRequest>, Numbered<SmartTurnReport>>(async (send) => {
  const weights = readWeights(readFileSync(weightsPath))
  // The first judgement takes twice as long as the next ones: its code is not compiled yet.
  completeness(new Float32Array(), weights)
  return {
    info: undefined,
    receive({ work, samples }) {
      send({ work, completeness: completeness(fromInt16(samples), weights) })
    },
  }
})
