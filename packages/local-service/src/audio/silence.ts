import { joinSamples } from './signal.ts'

const audibleLevel = 0.003
const keptBeforeSeconds = 0.03
const keptAfterSeconds = 0.05

/**
 * Trims the silence that a voice puts around a phrase, about a fifth of a second at either end. A little is kept, so
 * that soft beginnings and endings survive.
 */
export interface SilenceTrimmer {
  /** @returns the samples up to the last audible one. Silence after it is held back, because it may be the end. */
  push(samples: Float32Array): Float32Array
  /** @returns the part of the held-back silence that is kept. */
  end(): Float32Array
  /** Length of the silence cut at the start. Final once `push` has returned samples. */
  readonly cutSeconds: number
}

export function createSilenceTrimmer(sampleRateHertz: number): SilenceTrimmer {
  const keptBefore = Math.round(keptBeforeSeconds * sampleRateHertz)
  const keptAfter = Math.round(keptAfterSeconds * sampleRateHertz)
  const isAudible = (sample: number) => Math.abs(sample) > audibleLevel
  let hasBegun = false
  let cut = 0
  // Kept in pieces: joining them on every push would take quadratic time in long silence.
  let waiting: Float32Array[] = []
  return {
    push(samples) {
      const last = samples.findLastIndex(isAudible)
      waiting.push(samples)
      if (last === -1 && hasBegun) return new Float32Array()
      // In speech, nothing else waits.
      const all = waiting.length === 1 ? samples : joinSamples(waiting)
      if (last === -1) {
        const kept = all.slice(-keptBefore)
        cut += all.length - kept.length
        waiting = [kept]
        return new Float32Array()
      }
      const start = hasBegun ? 0 : Math.max(0, all.findIndex(isAudible) - keptBefore)
      cut += start
      hasBegun = true
      waiting = last + 1 < samples.length ? [samples.slice(last + 1)] : []
      return all.subarray(start, all.length - samples.length + last + 1)
    },
    end: () => (hasBegun ? joinSamples(waiting).subarray(0, keptAfter) : new Float32Array()),
    get cutSeconds() {
      return cut / sampleRateHertz
    },
  }
}
