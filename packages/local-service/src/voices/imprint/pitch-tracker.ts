import { createSignal } from '../../audio/signal.ts'

export const framesPerSecond = 100

const windowSeconds = 0.03
const quietPower = 1e-5
const voicedCorrelation = 0.55
// Of two lags that fit equally well, the shorter one is the pitch; a lag near that of the last frame is more likely.
const longLagPenalty = 9.6
const sameVoiceBonus = 1.06
const sameVoiceRatio = 2 ** 0.25

// `correlate` calculates this many in one pass.
const lagsAtOnce = 4

export interface PitchRange {
  lowestHertz: number
  highestHertz: number
}

export const anyVoice: PitchRange = { lowestHertz: 60, highestHertz: 400 }

/** Tracks the pitch of one phrase by autocorrelation, a hundred times per second. */
export class PitchTracker {
  /** Half the sample rate is enough for pitch and costs a quarter of the time. */
  readonly #rateHertz: number
  readonly #windowSamples: number
  readonly #shortest: number
  readonly #longest: number
  readonly #needed: number
  readonly #excerpt: Float64Array
  readonly #products: Float64Array
  readonly #correlations: Float64Array
  readonly #signal = createSignal()
  readonly #raw: number[] = []
  readonly #smooth: number[] = []
  #odd: number | undefined
  #lastLag = 0

  constructor(sampleRateHertz: number, range: PitchRange) {
    this.#rateHertz = sampleRateHertz / 2
    this.#windowSamples = Math.round(windowSeconds * this.#rateHertz)
    this.#shortest = Math.floor(this.#rateHertz / range.highestHertz)
    this.#longest = Math.ceil(this.#rateHertz / range.lowestHertz)
    this.#needed = this.#windowSamples + this.#longest
    this.#excerpt = new Float64Array(this.#needed + 1 + lagsAtOnce)
    this.#products = new Float64Array(this.#longest + 1 + lagsAtOnce)
    this.#correlations = new Float64Array(this.#longest + 1)
    this.#signal.push(new Float32Array(this.#needed >> 1))
  }

  /** Number of frames with a known pitch. Frame `n` is at `n / framesPerSecond` seconds. */
  get length(): number {
    return this.#smooth.length
  }

  /** The pitch in hertz; 0 for silence, breath and hiss. */
  at(frame: number): number {
    return this.#smooth[frame] ?? 0
  }

  push(samples: Float32Array): void {
    const signal = this.#signal
    const raw = this.#raw
    const nextStart = () => Math.round((raw.length * this.#rateHertz) / framesPerSecond)
    signal.forget(nextStart())
    signal.push(this.#halve(samples))
    const { samples: kept, start: keptFrom } = signal
    for (;;) {
      const start = nextStart() - keptFrom
      if (start + this.#needed + 1 > kept.length) return
      const pitch = this.#pitchAt(kept, start)
      if (pitch === 0) this.#lastLag = 0
      raw.push(pitch)
      const [before = 0, middle, after] = raw.slice(-3)
      if (raw.length === 2) this.#smooth.push(raw[0]!)
      if (raw.length > 2) this.#smooth.push(median(before, middle!, after!))
    }
  }

  #halve(samples: Float32Array): Float32Array {
    const odd = this.#odd
    const start = odd === undefined ? 0 : 1
    const count = (samples.length + start) >> 1
    const half = new Float32Array(count)
    for (let index = 0; index < count; index++) {
      const first = index * 2 - start
      half[index] = ((first < 0 ? odd! : samples[first]!) + samples[first + 1]!) / 2
    }
    this.#odd = (samples.length + start) % 2 === 1 ? samples.at(-1) : undefined
    return half
  }

  #pitchAt(samples: Float32Array, start: number): number {
    const windowSamples = this.#windowSamples
    const excerpt = this.#excerpt
    excerpt.set(samples.subarray(start, start + this.#needed + 1))
    const power = energy(excerpt, 0, windowSamples)
    if (power / windowSamples < quietPower) return 0
    const lags = { from: this.#shortest - 1, to: this.#longest }
    correlate(excerpt, windowSamples, lags, this.#products)
    const { lag, correlation } = this.#bestLag(power)
    if (lag === 0 || correlation < voicedCorrelation) return 0
    this.#lastLag = lag
    const offset = lag < this.#longest ? peakOffset(this.#correlations, lag) : 0
    return this.#rateHertz / (lag + offset)
  }

  /** The lag that fits best; 0 if none does. */
  #bestLag(power: number): { lag: number; correlation: number } {
    const [excerpt, shortest] = [this.#excerpt, this.#shortest]
    const [windowSamples, lastLag] = [this.#windowSamples, this.#lastLag]
    let shifted = energy(excerpt, shortest - 1, windowSamples)
    let best = 0
    let bestLag = 0
    for (let lag = shortest - 1; lag <= this.#longest; lag++) {
      const correlation = (2 * this.#products[lag]!) / Math.sqrt(power * shifted + 1e-12)
      this.#correlations[lag] = correlation
      shifted += excerpt[lag + windowSamples]! ** 2 - excerpt[lag]! ** 2
      if (lag < shortest) continue
      const isSameVoice = lag > lastLag / sameVoiceRatio && lag < lastLag * sameVoiceRatio
      const penalty = 1 - (longLagPenalty * (lag - shortest)) / this.#rateHertz
      const score = correlation * penalty * (isSameVoice ? sameVoiceBonus : 1)
      if (score <= best) continue
      best = score
      bestLag = lag
    }
    return { lag: bestLag, correlation: this.#correlations[bestLag]! }
  }
}

/**
 * Multiplies the window at the start of the excerpt with the window at each lag, and adds up every second product. Four
 * lags at a time share the samples that they read, which takes less than half the time.
 */
function correlate(
  excerpt: Float64Array,
  windowSamples: number,
  lags: { from: number; to: number },
  products: Float64Array,
): void {
  for (let lag = lags.from; lag <= lags.to; lag += lagsAtOnce) {
    let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0]
    let shifted0 = excerpt[lag]!
    let shifted1 = excerpt[lag + 1]!
    for (let index = 0; index < windowSamples; index += 2) {
      const sample = excerpt[index]!
      const shifted2 = excerpt[lag + index + 2]!
      const shifted3 = excerpt[lag + index + 3]!
      sum0 += sample * shifted0
      sum1 += sample * shifted1
      sum2 += sample * shifted2
      sum3 += sample * shifted3
      shifted0 = shifted2
      shifted1 = shifted3
    }
    products[lag] = sum0
    products[lag + 1] = sum1
    products[lag + 2] = sum2
    products[lag + 3] = sum3
  }
}

function energy(samples: Float64Array, start: number, count: number): number {
  let sum = 0
  for (let index = start; index < start + count; index++) sum += samples[index]! ** 2
  return sum
}

/** The offset of the true peak from the highest value: the vertex of the parabola through it and its neighbours. */
export function peakOffset(values: ArrayLike<number>, peak: number): number {
  const [before, top, after] = [values[peak - 1]!, values[peak]!, values[peak + 1]!]
  const offset = (before - after) / (2 * (before - 2 * top + after))
  return Math.abs(offset) < 1 ? offset : 0
}

function median(first: number, second: number, third: number): number {
  return Math.max(Math.min(first, second), Math.min(Math.max(first, second), third))
}
