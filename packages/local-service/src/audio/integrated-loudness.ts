import { meanPowers, weighted } from './loudness.ts'

/** The integrated loudness of every voice over many sentences, in LUFS. */
export const commonLufs = -18

const blockSeconds = 0.4
const stepSeconds = 0.1
const absoluteGateLufs = -70
const relativeGateDecibels = -10

/**
 * Measures the integrated loudness by EBU R 128: the mean power of all blocks but those that are much quieter than the rest.
 * @param samples mono, −1…1.
 * @returns LUFS; −Infinity for silence, and for less than 0.4 s.
 */
export function integratedLoudness(samples: Float32Array, sampleRateHertz: number): number {
  const toSamples = (seconds: number) => Math.round(seconds * sampleRateHertz)
  const [size, step] = [toSamples(blockSeconds), toSamples(stepSeconds)]
  const powers = meanPowers(weighted(samples, sampleRateHertz), size, step)
  const audible = powers.filter((power) => toLufs(power) > absoluteGateLufs)
  const gate = toLufs(mean(audible)) + relativeGateDecibels
  return toLufs(mean(audible.filter((power) => toLufs(power) > gate)))
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length || 0
}
