import { weighted } from './loudness.ts'

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
  const powers = blockPowers(weighted(samples, sampleRateHertz), sampleRateHertz)
  const audible = powers.filter((power) => toLufs(power) > absoluteGateLufs)
  const gate = toLufs(mean(audible)) + relativeGateDecibels
  return toLufs(mean(audible.filter((power) => toLufs(power) > gate)))
}

/** The mean power of blocks that overlap by three quarters. */
function blockPowers(samples: Float32Array, sampleRateHertz: number): number[] {
  const [size, step] = [blockSeconds, stepSeconds].map((seconds) =>
    Math.round(seconds * sampleRateHertz),
  ) as [number, number]
  const powers: number[] = []
  for (let start = 0; start + size <= samples.length; start += step) {
    let sum = 0
    for (let index = start; index < start + size; index++) sum += samples[index]! ** 2
    powers.push(sum / size)
  }
  return powers
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length || 0
}
