import { quantile } from '../../audio/signal.ts'

const hopSeconds = 0.01
const speechDecibels = 25
const nucleusDecibels = 22
const dipDecibels = 2
const shortestHops = 8

/** Counts vowels as peaks of the level in their frequency band. @returns syllables per second of speech. */
export function syllablesPerSecond(samples: Float32Array, sampleRateHertz: number): number {
  const levels = smoothed(vowelLevels(samples, Math.round(hopSeconds * sampleRateHertz)))
  const loud = quantile(levels, 0.95)
  const spokenHops = levels.filter((level) => level > loud - speechDecibels).length
  let count = 0
  let last = -shortestHops
  let dip = Number.POSITIVE_INFINITY
  for (let hop = 1; hop < levels.length - 1; hop++) {
    const level = levels[hop]!
    dip = Math.min(dip, level)
    const isPeak = level > levels[hop - 1]! && level >= levels[hop + 1]!
    if (!isPeak || level < loud - nucleusDecibels || level - dip < dipDecibels) continue
    if (hop - last <= shortestHops) continue
    count += 1
    last = hop
    dip = level
  }
  return count / (spokenHops * hopSeconds || 1)
}

/** In dB, with two one-pole filters that keep about 300 to 2500 Hz at 16 kHz. */
function vowelLevels(samples: Float32Array, hopSamples: number): number[] {
  const levels: number[] = []
  let low = 0
  let band = 0
  for (let start = 0; start + hopSamples <= samples.length; start += hopSamples) {
    let power = 0
    for (let index = start; index < start + hopSamples; index++) {
      const high = samples[index]! - low
      low += 0.11 * high
      band += 0.6 * (high - band)
      power += band * band
    }
    levels.push(10 * Math.log10(power / hopSamples + 1e-10))
  }
  return levels
}

function smoothed(levels: readonly number[]): number[] {
  return levels.map((_, middle) => {
    const near = levels.slice(Math.max(0, middle - 4), middle + 5)
    return near.reduce((sum, level) => sum + level, 0) / near.length
  })
}
