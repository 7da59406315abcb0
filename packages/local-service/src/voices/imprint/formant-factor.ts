import type { VoiceProfile } from '../profile.ts'
import { between } from './equaliser.ts'

const least = 0.82
const most = 1.22
const step = 0.01
// The bands that carry formants: 375 Hz to 8 kHz for the trend, 625 to 7500 Hz for the likeness.
const trendBands = [6, 64] as const
const likenessBands = [5, 60] as const
const farPenalty = 0.35

/**
 * By which factor all formants of `voice` must move to be those of `target`, as if its mouth grew or shrank: half by
 * the shape of the whole envelope, half by F2 to F4. Single formants are read wrong too often to rely on.
 */
export function formantFactor(voice: VoiceProfile, target: VoiceProfile): number {
  const factor = Math.sqrt(factorByShape(voice, target) * factorByFormants(voice, target))
  return Math.min(most, Math.max(least, factor))
}

function factorByFormants(voice: VoiceProfile, target: VoiceProfile): number {
  const ratios = [1, 2, 3].map((formant) => {
    return Math.log(target.formantsHertz[formant]! / voice.formantsHertz[formant]!)
  })
  return Math.exp(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length)
}

function factorByShape(voice: VoiceProfile, target: VoiceProfile): number {
  const shape = withoutTrend(voice.envelopeDecibels)
  const wished = withoutTrend(target.envelopeDecibels)
  let best = Number.NEGATIVE_INFINITY
  let bestFactor = 1
  for (let factor = least; factor <= most + step / 2; factor += step) {
    const score = likeness(shape, wished, factor) - farPenalty * Math.abs(Math.log(factor))
    if (score > best) {
      best = score
      bestFactor = factor
    }
  }
  return bestFactor
}

function likeness(shape: readonly number[], wished: readonly number[], factor: number): number {
  let product = 0
  let shapePower = 0
  let wishedPower = 0
  for (let band = likenessBands[0]; band < likenessBands[1]; band++) {
    const value = between(shape, band / factor)
    product += value * wished[band]!
    shapePower += value ** 2
    wishedPower += wished[band]! ** 2
  }
  return product / Math.sqrt(shapePower * wishedPower + 1e-9)
}

/** A voice that is darker as a whole has no other formants for that: takes away the straight line. */
function withoutTrend(decibels: readonly number[]): number[] {
  const [start, end] = trendBands
  const bands = Array.from({ length: end - start }, (_, index) => start + index)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = mean(bands)
  const level = mean(bands.map((band) => decibels[band]!))
  const rise = mean(bands.map((band) => (band - middle) * (decibels[band]! - level)))
  const slope = rise / mean(bands.map((band) => (band - middle) ** 2))
  return decibels.map((value, band) => value - level - slope * (band - middle))
}
