import { createSpectrum } from '../../audio/spectrum.ts'
import { wakeWordRateHertz } from '../wake-word-detector.ts'

/** How loud each band of the sound is, compared with its background: what microWakeWord's networks listen to. */
export interface SoundFeatures {
  /** @returns one frame for each 10 ms that are complete: 40 values, 0…about 670, of 125 to 7500 Hz. */
  push(samples: Int16Array): Float32Array[]
}

export const frameMs = 10
const bands = 40
const windowSamples = 0.03 * wakeWordRateHertz
const stepSamples = (frameMs / 1000) * wakeWordRateHertz
const spectrumSize = 512
const lowestHertz = 125
const highestHertz = 7500

// The values are those of TensorFlow Lite for Microcontrollers, with which the networks were trained. It calculates with integers;
// where its rounding shows, in quiet bands, this does too.
const windowUnit = 4096
const amplitudeScale = 64 / spectrumSize
const smoothings = [409 / 16_384, 983 / 16_384] as const
const minRemaining = 819 / 16_384
const gainScale = 2 ** 21
const gainOffset = 80
const gainStrength = 0.95
const logScale = 64

/** Reads a stream of mono samples of 16 kHz. */
export function createSoundFeatures(): SoundFeatures {
  const spectrum = createSpectrum(spectrumSize)
  const recent = new Int16Array(windowSamples)
  const block = new Float32Array(spectrumSize)
  const background = new Float64Array(bands)
  let filled = 0

  const readFrame = (): Float32Array => {
    for (let index = 0; index < windowSamples; index++) {
      block[index] = Math.floor(recent[index]! * window[index]!)
    }
    return readBands(spectrum.powersOf(block)).map((loudness, band) => {
      const smoothing = smoothings[band % 2]!
      background[band]! += smoothing * (loudness - background[band]!)
      return compare(loudness, background[band]!)
    })
  }

  return {
    push(samples) {
      const frames: Float32Array[] = []
      let read = 0
      while (read < samples.length) {
        const piece = samples.subarray(read, read + windowSamples - filled)
        recent.set(piece, filled)
        filled += piece.length
        read += piece.length
        if (filled === windowSamples) {
          frames.push(readFrame())
          recent.copyWithin(0, stepSamples)
          filled -= stepSamples
        }
      }
      return frames
    },
  }
}

const window = Float64Array.from({ length: windowSamples }, (_, index) => {
  const value = 0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / windowSamples)
  return Math.round(value * windowUnit) / windowUnit
})

const toMel = (hertz: number) => Math.log1p(hertz / 700)

/** Each frequency belongs to two neighbouring bands: its place from the lowest one on. 0…1 is below the first band. */
const places = Float64Array.from({ length: spectrumSize / 2 }, (_, index) => {
  const hertz = (index * wakeWordRateHertz) / spectrumSize
  const [low, high] = [toMel(lowestHertz), toMel(highestHertz)]
  return ((toMel(hertz) - low) / (high - low)) * (bands + 1)
})

function readBands(powers: Float32Array): Float32Array {
  const sums = new Float64Array(bands + 2)
  for (const [index, place] of places.entries()) {
    if (place < 0 || place > bands + 1) continue
    const lower = Math.floor(place)
    const share = place - lower
    sums[lower]! += (1 - share) * powers[index]!
    sums[lower + 1]! += share * powers[index]!
  }
  return Float32Array.from({ length: bands }, (_, band) =>
    Math.floor(amplitudeScale * Math.sqrt(sums[band + 1]!)),
  )
}

/** How far a band exceeds its background, as a logarithm. */
function compare(loudness: number, background: number): number {
  const remaining = Math.floor(Math.max(loudness - background, loudness * minRemaining))
  const gain = gainScale * (8 * background + gainOffset) ** -gainStrength
  const ratio = Math.floor((remaining * gain) / 64)
  const shrunk = ratio < 8192 ? ratio ** 2 / 2 ** 20 : ratio / 64 - 64
  const value = 8 * Math.floor(shrunk)
  return value > 1 ? Math.round(logScale * Math.log(value)) : 0
}
