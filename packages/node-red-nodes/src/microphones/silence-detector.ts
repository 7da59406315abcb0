import { createEndOfTurn } from './end-of-turn.ts'
import { bytesPerSecond } from './microphone-recording.ts'
import { pcmLevelDb } from './pcm-levels.ts'

/** Of which `createEndOfTurn` takes the levels: 20 ms. */
const stepBytes = bytesPerSecond / 50

/** Finds the end of a turn in sound of any pieces. @returns a function that takes whole samples, and returns whether it is over. */
export function createSilenceDetector(): (pcm: Buffer) => boolean {
  const endOfTurn = createEndOfTurn()
  let rest: Buffer = Buffer.alloc(0)
  return (pcm) => {
    const bytes = Buffer.concat([rest, pcm])
    let at = 0
    for (; at + stepBytes <= bytes.length; at += stepBytes) {
      if (endOfTurn(pcmLevelDb(bytes.subarray(at, at + stepBytes)))) return true
    }
    rest = bytes.subarray(at)
    return false
  }
}
