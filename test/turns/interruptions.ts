import type { TurnModels } from '../../packages/local-service/src/listening/turns/turn-detector.ts'
import type { TurnRule } from '../../packages/local-service/src/listening/turns/turn-rule.ts'
import { type Recording, rateHertz } from './recordings.ts'
import { record } from './scene.ts'
import { findTurns } from './score.ts'

/** How speakers fare who make pauses in their turns. */
export interface Interruptions {
  speakers: number
  /** Whose turn ended before they had finished. */
  interrupted: number
  /** For the others, from the end of the speech to the end of the turn. */
  endDelaysMs: readonly number[]
}

const silence = new Float32Array(1.5 * rateHertz)

/** Lets people speak one turn each, in a quiet room. */
export async function countInterruptions(
  recordings: readonly Recording[],
  rule: TurnRule,
  models?: TurnModels,
): Promise<Interruptions> {
  const endDelaysMs: number[] = []
  for (const { samples, speech } of recordings) {
    const sound = Float32Array.from([...silence, ...samples, ...silence])
    const [turn] = await findTurns(record(sound), rule, models)
    const speechEndMs = ((silence.length + speech.at(-1)!.end) / rateHertz) * 1000
    const delayMs = (turn?.end ?? 0) - speechEndMs
    if (delayMs > 0) endDelaysMs.push(delayMs)
  }
  const speakers = recordings.length
  return { speakers, interrupted: speakers - endDelaysMs.length, endDelaysMs }
}
