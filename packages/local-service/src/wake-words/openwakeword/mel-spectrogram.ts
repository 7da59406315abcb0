import { createSpectrum } from '../../audio/spectrum.ts'
import { createRows, type Rows } from '../../neural-networks/rows.ts'
import { wakeWordRateHertz } from '../wake-word-detector.ts'

/** How loud each of 32 bands of the sound is: what the speech embedding sees. */
export interface MelSpectrogram {
  /** @param samples `stepSamples`. @returns `stepFrames` frames, one row for each band. */
  push(samples: Int16Array): Rows
}

const hopSamples = 160
export const stepFrames = 8
export const stepSamples = stepFrames * hopSamples
export const bands = 32

// The values are those of the graph melspectrogram.onnx of openWakeWord, which is that of librosa.
const size = 512
const windowSamples = 400
const windowFrom = (size - windowSamples) / 2
const [lowestHertz, highestHertz] = [60, 3800]
const minPower = 1e-10
/** Quieter bands than the loudest one by this much count as this quiet. */
const rangeDb = 80

export function createMelSpectrogram(): MelSpectrogram {
  const spectrum = createSpectrum(size)
  const recent = new Int16Array(size - hopSamples + stepSamples)
  const block = new Float32Array(size)
  return {
    push(samples) {
      recent.copyWithin(0, stepSamples)
      recent.set(samples, recent.length - stepSamples)
      const { values, ...rows } = createRows(stepFrames * bands, 1)
      for (let frame = 0; frame < stepFrames; frame++) {
        const from = frame * hopSamples
        for (let index = 0; index < windowSamples; index++) {
          block[windowFrom + index] = recent[from + windowFrom + index]! * window[index]!
        }
        const powers = spectrum.powersOf(block)
        for (const [band, filter] of filters.entries()) {
          values[frame * bands + band] = 10 * Math.log10(Math.max(minPower, filter(powers)))
        }
      }
      const quietest = Math.max(...values) - rangeDb
      // The embedding has learned from values of this form.
      return { ...rows, values: values.map((level) => Math.max(level, quietest) / 10 + 2) }
    },
  }
}

const window = Float64Array.from({ length: windowSamples }, (_, index) => {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / windowSamples)
})

/** The scale of Slaney: linear below 1 kHz. */
const breakHertz = 1000
const hertzPerMel = 200 / 3
const breakMel = breakHertz / hertzPerMel
const logStep = Math.log(6.4) / 27

function toMel(hertz: number): number {
  if (hertz < breakHertz) return hertz / hertzPerMel
  return breakMel + Math.log(hertz / breakHertz) / logStep
}

function toHertz(mel: number): number {
  if (mel < breakMel) return mel * hertzPerMel
  return breakHertz * Math.exp((mel - breakMel) * logStep)
}

/** Triangles of the same area. */
const filters = Array.from({ length: bands }, (_, band) => {
  const [low, high] = [toMel(lowestHertz), toMel(highestHertz)]
  const edge = (number: number) => toHertz(low + ((high - low) * number) / (bands + 1))
  const [from, middle, to] = [edge(band), edge(band + 1), edge(band + 2)]
  const height = 2 / (to - from)
  const weights = Float64Array.from({ length: size / 2 }, (_, index) => {
    const hertz = (index * wakeWordRateHertz) / size
    return (
      height * Math.max(0, Math.min((hertz - from) / (middle - from), (to - hertz) / (to - middle)))
    )
  })
  const first = weights.findIndex((weight) => weight > 0)
  const last = weights.findLastIndex((weight) => weight > 0)
  return (powers: Float32Array) => {
    let sum = 0
    for (let index = first; index <= last; index++) sum += powers[index]! * weights[index]!
    return sum
  }
})
