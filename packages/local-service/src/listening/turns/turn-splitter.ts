import { frameSamples, samplesPerMs } from './detectors.ts'
import { createTurnDetector, type TurnModels } from './turn-detector.ts'
import { maxOnsetLookbackMs } from './turn-evidence.ts'
import type { TurnRule } from './turn-rule.ts'
import type { TurnEvent } from './turn-states.ts'

/** How far `startMs` may precede the samples after which a turn is found. */
function maxLookbackMs({ prefixMs }: TurnRule): number {
  return maxOnsetLookbackMs + prefixMs + frameSamples / samplesPerMs
}

/** Cuts sound into turns: for each one its start, its samples in pieces, and its end. */
export interface TurnSplitter {
  /** @param samples mono, 16 kHz, any number. The parts hold copies. */
  push(samples: Int16Array): Promise<readonly TurnPart[]>
  /** Ends the open turn, if any. Further samples may follow. */
  end(): readonly TurnPart[]
  /** Frees memory. Must be called after success and after failure. */
  close(): void
}

export type TurnPart = TurnEvent | { type: 'samples'; samples: Int16Array }

export async function createTurnSplitter(
  rule: TurnRule,
  models?: TurnModels,
): Promise<TurnSplitter> {
  const detector = await createTurnDetector(rule, models)
  const keptSamples = maxLookbackMs(rule) * samplesPerMs
  /** The latest samples, the last of which is number `received`. */
  let recent = new Int16Array()
  let received = 0
  /** The first sample of the open turn that was not yet returned. */
  let next: number | undefined

  const slice = (start: number, end: number): TurnPart[] => {
    const first = received - recent.length
    const samples = recent.slice(start - first, end - first)
    return samples.length > 0 ? [{ type: 'samples', samples }] : []
  }
  const toParts = (event: TurnEvent): TurnPart[] => {
    if (event.type === 'speechStarted') {
      next = event.startMs * samplesPerMs
      return [event]
    }
    if (event.type === 'speechResumed') return [event]
    if (event.type === 'speechPaused') {
      const paused = Math.max(next!, Math.min(event.atMs * samplesPerMs, received))
      const heard = slice(next!, paused)
      next = paused
      return [...heard, event]
    }
    const end = Math.min(event.endMs * samplesPerMs, received)
    const last = slice(next!, end)
    next = undefined
    return [...last, event]
  }

  return {
    async push(samples) {
      const joined = new Int16Array(recent.length + samples.length)
      joined.set(recent)
      joined.set(samples, recent.length)
      recent = joined
      received += samples.length
      const parts = (await detector.push(samples)).flatMap(toParts)
      // The detector may still end the turn within the last of its frames, which it has not judged yet.
      const judged = received - (received % detector.frameSamples)
      if (next !== undefined && judged > next) {
        parts.push(...slice(next, judged))
        next = judged
      }
      recent = recent.slice(-keptSamples)
      return parts
    },
    end: () => detector.end().flatMap(toParts),
    close: () => detector.close(),
  }
}
