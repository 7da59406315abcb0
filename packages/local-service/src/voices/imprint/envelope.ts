const order = 18
const preEmphasis = 0.97

/** Boosts high frequencies, so that the envelope follows them as closely as low ones. */
export function emphasise(samples: Float32Array): Float32Array {
  return samples.map((sample, index) => sample - preEmphasis * (samples[index - 1] ?? 0))
}

/** Estimates spectral envelopes by linear prediction: the resonances of a frame without its pitch. */
export interface EnvelopeReader {
  /** @returns the envelope in dB, `bands` values from 0 to half the sample rate; `undefined` for silence. */
  read(frame: Float32Array): Float64Array | undefined
}

export function createEnvelopeReader(frameSamples: number, bands: number): EnvelopeReader {
  const taper = Float64Array.from({ length: frameSamples }, (_, index) => {
    return 0.54 - 0.46 * Math.cos((2 * Math.PI * index) / (frameSamples - 1))
  })
  const cosines = Float64Array.from({ length: 2 * bands }, (_, n) =>
    Math.cos((Math.PI * n) / bands),
  )
  const sines = Float64Array.from({ length: 2 * bands }, (_, n) => Math.sin((Math.PI * n) / bands))
  const tapered = new Float64Array(frameSamples)
  return {
    read(frame) {
      for (let index = 0; index < frameSamples; index++) {
        tapered[index] = frame[index]! * taper[index]!
      }
      const prediction = predict(tapered)
      if (!prediction) return undefined
      return Float64Array.from({ length: bands }, (_, band) => {
        let real = 0
        let imaginary = 0
        for (let tap = 0; tap <= order; tap++) {
          const turn = (band * tap) % (2 * bands)
          real += prediction[tap]! * cosines[turn]!
          imaginary -= prediction[tap]! * sines[turn]!
        }
        return -10 * Math.log10(real * real + imaginary * imaginary + 1e-12)
      })
    },
  }
}

/** Levinson-Durbin recursion: the filter that predicts each sample from the previous ones. `undefined` for silence. */
function predict(samples: Float64Array): Float64Array | undefined {
  const products = Float64Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0
    for (let index = lag; index < samples.length; index++) {
      sum += samples[index]! * samples[index - lag]!
    }
    return sum
  })
  let error = products[0]! * 1.0001
  if (error <= 1e-9) return undefined
  const filter = new Float64Array(order + 1)
  filter[0] = 1
  for (let step = 1; step <= order; step++) {
    let sum = products[step]!
    for (let tap = 1; tap < step; tap++) sum += filter[tap]! * products[step - tap]!
    const reflection = -sum / error
    const before = filter.slice()
    for (let tap = 1; tap < step; tap++) {
      filter[tap] = before[tap]! + reflection * before[step - tap]!
    }
    filter[step] = reflection
    error *= 1 - reflection * reflection
  }
  return filter
}
