import { createFourierTransform } from '../../../audio/fourier.ts'
import { createRows, type Rows } from '../../../neural-networks/rows.ts'
import { detectorRateHertz } from '../detectors.ts'

/** The network hears this much sound. */
export const heardSamples = 8 * detectorRateHertz
/** The loudness of this many bands, each with the same width for the ear (mel). */
export const melBands = 80

const windowSamples = 400
const hopSamples = 160
const frameCount = heardSamples / hopSamples
const frequencies = windowSamples / 2 + 1
const minPower = 1e-10
/** What is this many powers of ten quieter than the loudest sound counts as silence. */
const range = 8
const minVariance = 1e-7

/** Mels are linear below this, logarithmic above. */
const borderHertz = 1000
const borderMel = 15
const melStep = Math.log(6.4) / 27

const transform = createFourierTransform([4, 4, 5, 5])
const hann = Float64Array.from(
  { length: windowSamples },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / windowSamples),
)
const filters = createFilters()

/**
 * The features that Whisper's feature extractor calculates with `do_normalize`: first, the sound gets a mean of 0 and a variance
 * of 1.
 * @param sound 16 kHz, in −1…1; at most 8 s. Silence precedes a shorter one.
 * @returns a row of 80 numbers for each 10 ms of 8 s.
 */
export function logMel(sound: Float32Array): Rows {
  const samples = padded(normalized(sound))
  const rows = createRows(frameCount, melBands)
  const silentSamples = heardSamples - sound.length - windowSamples / 2
  const silentFrames = Math.max(0, Math.floor(silentSamples / hopSamples / 2) * 2)
  const [even, odd] = [new Float32Array(windowSamples), new Float32Array(windowSamples)]
  const powers = new Float64Array(2 * frequencies)
  const cut = (frame: number, into: Float32Array) => {
    for (let at = 0; at < windowSamples; at++)
      into[at] = samples[frame * hopSamples + at]! * hann[at]!
  }
  for (let frame = 0; frame < frameCount; frame += 2) {
    if (frame > 0 && frame < silentFrames) {
      // Silence is the same everywhere.
      rows.values.copyWithin(frame * melBands, 0, 2 * melBands)
      continue
    }
    cut(frame, even)
    cut(frame + 1, odd)
    // One complex transform of two real windows.
    separate(transform(even, odd), powers)
    addBands(rows, frame, powers.subarray(0, frequencies))
    addBands(rows, frame + 1, powers.subarray(frequencies))
  }
  const { values } = rows
  let largest = Number.NEGATIVE_INFINITY
  for (const value of values) if (value > largest) largest = value
  for (let at = 0; at < values.length; at++) {
    values[at] = (Math.max(values[at]!, largest - range) + 4) / 4
  }
  return rows
}

/** With the silence before it, the sound gets a mean of 0 and a variance of 1. */
function normalized(sound: Float32Array): Float32Array {
  let [sum, squares] = [0, 0]
  for (const sample of sound) {
    sum += sample
    squares += sample ** 2
  }
  const mean = sum / heardSamples
  const factor = 1 / Math.sqrt(squares / heardSamples - mean ** 2 + minVariance)
  const all = new Float32Array(heardSamples).fill(-mean * factor)
  const start = heardSamples - sound.length
  for (let at = 0; at < sound.length; at++) all[start + at] = (sound[at]! - mean) * factor
  return all
}

/** Mirrors the sound at its edges, so that the first and the last window lie half outside. */
function padded(samples: Float32Array): Float32Array {
  const half = windowSamples / 2
  const all = new Float32Array(samples.length + windowSamples)
  all.set(samples, half)
  for (let at = 1; at <= half; at++) {
    all[half - at] = samples[at]!
    all[half + samples.length - 1 + at] = samples[samples.length - 1 - at]!
  }
  return all
}

/** The powers of two real windows from the transform of the first one plus i times the second one. */
function separate(
  [real, imaginary]: readonly [Float32Array, Float32Array],
  powers: Float64Array,
): void {
  for (let frequency = 0; frequency < frequencies; frequency++) {
    const mirror = (windowSamples - frequency) % windowSamples
    const [sumReal, sumImaginary] = [
      real[frequency]! + real[mirror]!,
      imaginary[frequency]! + imaginary[mirror]!,
    ]
    const [gapReal, gapImaginary] = [
      real[frequency]! - real[mirror]!,
      imaginary[frequency]! - imaginary[mirror]!,
    ]
    powers[frequency] = (sumReal ** 2 + gapImaginary ** 2) / 4
    powers[frequencies + frequency] = (sumImaginary ** 2 + gapReal ** 2) / 4
  }
}

function addBands({ values }: Rows, frame: number, powers: Float64Array): void {
  for (const [band, { first, weights }] of filters.entries()) {
    let power = 0
    for (let at = 0; at < weights.length; at++) power += weights[at]! * powers[first + at]!
    values[frame * melBands + band] = Math.log10(Math.max(minPower, power))
  }
}

/** A band: its frequencies from the first one on, each with its weight. */
interface Filter {
  first: number
  weights: readonly number[]
}

/** Triangles that overlap, each with an area of 1 (Slaney). */
function createFilters(): readonly Filter[] {
  const highest = hertzToMel(detectorRateHertz / 2)
  const edges = Array.from({ length: melBands + 2 }, (_, edge) =>
    melToHertz((highest * edge) / (melBands + 1)),
  )
  return Array.from({ length: melBands }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number]
    const weights = Array.from({ length: frequencies }, (_, frequency) => {
      const hertz = (frequency * detectorRateHertz) / windowSamples
      const slope = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle))
      return (Math.max(0, slope) * 2) / (high - low)
    })
    const first = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    )
    const last = weights.findLastIndex((weight) => weight > 0)
    return { first, weights: weights.slice(first, last + 1) }
  })
}

function hertzToMel(hertz: number): number {
  if (hertz < borderHertz) return (borderMel * hertz) / borderHertz
  return borderMel + Math.log(hertz / borderHertz) / melStep
}

function melToHertz(mel: number): number {
  if (mel < borderMel) return (borderHertz * mel) / borderMel
  return borderHertz * Math.exp((mel - borderMel) * melStep)
}
