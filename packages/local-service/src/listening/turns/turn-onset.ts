import { stepMs } from './frames.ts'

/** Collects the voice with which a turn may begin, every 10 ms. */
export interface TurnOnset {
  push(isVoice: boolean): void
  /** How much voice there was in the latest time, at most 200 ms. */
  voiceWithin(windowMs: number): number
  /** When the voice began. Times count from the first step. */
  readonly startMs: number
  /** Forgets the voice so far. */
  clear(): void
}

const keptSteps = 200 / stepMs
/**
 * Syllables that are too short to begin a turn belong to the voice that follows them within this time: in noise, a word of
 * short syllables is noticed only half a second after its start.
 */
const maxGapMs = 300
/** Other sounds may have been taken for voice long before somebody speaks. */
export const maxOnsetMs = 1000

export function createTurnOnset(): TurnOnset {
  let latest: boolean[] = []
  let nowMs = 0
  let firstVoiceMs = 0
  let voiceEndMs = Number.NEGATIVE_INFINITY
  return {
    push(isVoice) {
      latest = [...latest.slice(1 - keptSteps), isVoice]
      if (isVoice) {
        if (nowMs - voiceEndMs > maxGapMs) firstVoiceMs = nowMs
        voiceEndMs = nowMs + stepMs
      }
      nowMs += stepMs
    },
    voiceWithin: (windowMs) => latest.slice(-windowMs / stepMs).filter(Boolean).length * stepMs,
    get startMs() {
      return Math.max(firstVoiceMs, nowMs - maxOnsetMs)
    },
    clear() {
      latest = []
    },
  }
}
