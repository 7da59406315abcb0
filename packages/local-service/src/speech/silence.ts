const audibleLevel = 0.003
const keptBeforeSeconds = 0.03
const keptAfterSeconds = 0.05

/**
 * Cuts off the silence that a voice puts around a phrase, a fifth of a second at either end; a little is kept, so
 * that soft beginnings and endings survive.
 */
export function trimSilence(samples: Float32Array, sampleRateHertz: number): Float32Array {
  const isAudible = (sample: number) => Math.abs(sample) > audibleLevel
  const first = samples.findIndex(isAudible)
  if (first === -1) return samples.subarray(0, 0)
  const last = samples.findLastIndex(isAudible)
  const start = Math.max(0, first - Math.round(keptBeforeSeconds * sampleRateHertz))
  const end = last + 1 + Math.round(keptAfterSeconds * sampleRateHertz)
  return samples.subarray(start, end)
}
