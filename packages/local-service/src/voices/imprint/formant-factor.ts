import type { VoiceProfile } from '../profile.ts'
import { between } from './equaliser.ts'

const minFactor = 0.82
const maxFactor = 1.22
const step = 0.01
// Bands with formants. Trend: 375 Hz to 4 kHz. Likeness: 312 Hz to 3750 Hz.
const trendBands = [6, 64] as const
const likenessBands = [5, 60] as const
const farPenalty = 0.35

/**
 * The factor that moves all formants of `voice` to those of `target`, as if the vocal tract changed its length. It is
 * the geometric mean of two estimates, from the shape of the whole envelope and from F2 to F4, because the measurement
 * of a single formant is not reliable.
 */
export function formantFactor(voice: VoiceProfile, target: VoiceProfile): number {
  const factor = Math.sqrt(factorByShape(voice, target) * factorByFormants(voice, target))
  return Math.min(maxFactor, Math.max(minFactor, factor))
}

function factorByFormants(voice: VoiceProfile, target: VoiceProfile): number {
  const ratios = [1, 2, 3].map((formant) => {
    return Math.log(target.formantsHertz[formant]! / voice.formantsHertz[formant]!)
  })
  return Math.exp(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length)
}

function factorByShape(voice: VoiceProfile, target: VoiceProfile): number {
  const shape = withoutTrend(voice.envelopeDecibels)
  const wanted = withoutTrend(target.envelopeDecibels)
  let best = Number.NEGATIVE_INFINITY
  let bestFactor = 1
  for (let factor = minFactor; factor <= maxFactor + step / 2; factor += step) {
    const score = likeness(shape, wanted, factor) - farPenalty * Math.abs(Math.log(factor))
    if (score > best) {
      best = score
      bestFactor = factor
    }
  }
  return bestFactor
}

function likeness(shape: readonly number[], wanted: readonly number[], factor: number): number {
  let product = 0
  let shapePower = 0
  let wantedPower = 0
  for (let band = likenessBands[0]; band < likenessBands[1]; band++) {
    const value = between(shape, band / factor)
    product += value * wanted[band]!
    shapePower += value ** 2
    wantedPower += wanted[band]! ** 2
  }
  return product / Math.sqrt(shapePower * wantedPower + 1e-9)
}

/** Removes the linear trend: a voice that is darker as a whole still has the same formants. */
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
