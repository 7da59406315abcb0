import type { Signal } from '../../audio/signal.ts'
import type { PitchTracker } from './pitch-tracker.ts'
import { framesPerSecond } from './pitch-tracker.ts'

/** The position of one pitch period. */
export interface PitchMark {
  /** Index of a sample. */
  place: number
  /** Distance to the next one, in samples. */
  period: number
  isVoiced: boolean
}

const unvoicedSeconds = 0.005
// How far from its expected position the next period is searched, and how much of the period is compared.
const searchShare = 0.12
const comparedShare = 0.5

/** How much sound after a mark is needed to find the next one: two of the longest periods and a margin. */
export const markAheadSeconds = 0.05

/**
 * @param signal the sound from a little before the last mark on.
 * @returns the next mark: one period later, shifted to the best correlation with the sound at the last mark.
 */
export function nextMark(
  last: PitchMark | undefined,
  { samples, start }: Signal,
  tracker: PitchTracker,
  sampleRateHertz: number,
): PitchMark {
  const hop = sampleRateHertz / framesPerSecond
  let place = 0
  if (last) {
    place = last.place + Math.round(last.period)
    if (last.isVoiced) {
      const known = { place: last.place - start, period: last.period }
      place += bestShift(samples, known, place - start)
    }
  }
  const pitch = tracker.at(Math.round(place / hop))
  if (pitch === 0) {
    return { place, period: Math.round(unvoicedSeconds * sampleRateHertz), isVoiced: false }
  }
  const period = sampleRateHertz / pitch
  const isBeginning = !last?.isVoiced
  return {
    place: isBeginning ? start + loudestPlace(samples, place - start, period) : place,
    period,
    isVoiced: true,
  }
}

function bestShift(
  samples: Float32Array,
  { place, period }: Pick<PitchMark, 'place' | 'period'>,
  expected: number,
): number {
  const reach = Math.max(2, Math.round(period * searchShare))
  const half = Math.round(period * comparedShare)
  if (place < half) return 0
  let best = Number.NEGATIVE_INFINITY
  let bestShift = 0
  for (let shift = -reach; shift <= reach; shift++) {
    let product = 0
    for (let offset = -half; offset < half; offset += 2) {
      product += samples[place + offset]! * (samples[expected + shift + offset] ?? 0)
    }
    if (product > best) {
      best = product
      bestShift = shift
    }
  }
  return bestShift
}

/** The loudest position in a period, where the vocal folds close. A grain cut around it keeps the pulse intact. */
function loudestPlace(samples: Float32Array, start: number, period: number): number {
  const half = Math.round(period / 6)
  let power = 0
  for (let place = start - half; place < start + half; place++) power += (samples[place] ?? 0) ** 2
  let loudest = start
  let maxPower = power
  for (let place = start; place < start + period; place++) {
    power += (samples[place + half] ?? 0) ** 2 - (samples[place - half] ?? 0) ** 2
    if (power <= maxPower) continue
    maxPower = power
    loudest = place + 1
  }
  return loudest
}
