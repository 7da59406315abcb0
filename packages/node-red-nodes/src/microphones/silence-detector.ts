import { createEndOfTurn } from './end-of-turn.ts'
import { levelBytes, pcmLevelDb } from './level.ts'

/** Finds the end of a turn in sound of any pieces. @returns a function that takes whole samples, and returns whether it is over. */
export function createSilenceDetector(): (pcm: Buffer) => boolean {
  const endOfTurn = createEndOfTurn()
  let rest: Buffer = Buffer.alloc(0)
  return (pcm) => {
    const bytes = Buffer.concat([rest, pcm])
    let at = 0
    for (; at + levelBytes <= bytes.length; at += levelBytes) {
      if (endOfTurn(pcmLevelDb(bytes.subarray(at, at + levelBytes)))) return true
    }
    rest = bytes.subarray(at)
    return false
  }
}
