import { complexOf, createFourier } from './fourier.ts'

/** Every second sample at 16 kHz is enough, in half of the time. */
const step = 2
/** Three quarters of a second of the microphone. */
export const searchedSamples = 12_000
/** Some players hold two seconds of a sound. */
export const maxDelaySamples = 40_000
const size = 32_768
/** How far the best delay must stand out. With unrelated sounds, it reaches 6 to 8 standard deviations. */
const minDeviations = 12

export interface EchoDelay {
  samples: number
  /** How far it stands out of all others, in standard deviations. */
  deviations: number
}

/**
 * Finds by how much a recording is later than the sound that was played, from the phases of their cross-correlation.
 * @param recording `searchedSamples` at 16 kHz.
 * @param played as long, and `maxDelaySamples` more before it.
 * @returns nothing if the sound is not in the recording.
 */
export function findEchoDelay(
  recording: Float32Array,
  played: Float32Array,
): EchoDelay | undefined {
  const fourier = createFourier(size)
  const heard = complexOf(size)
  const sound = complexOf(size)
  heard.real.set(everySecond(recording))
  sound.real.set(everySecond(played))
  fourier.forward(heard)
  fourier.forward(sound)
  for (let bin = 0; bin < size; bin++) {
    const heardReal = heard.real[bin]!
    const heardImaginary = heard.imaginary[bin]!
    const soundReal = sound.real[bin]!
    const soundImaginary = sound.imaginary[bin]!
    // The cross-spectrum: the recording times the conjugate of the sound.
    const real = heardReal * soundReal + heardImaginary * soundImaginary
    const imaginary = heardImaginary * soundReal - heardReal * soundImaginary
    // Half of the loudness is left in: the phases of what is nearly silent are accidental.
    const scale = 1 / Math.sqrt(Math.hypot(real, imaginary) + 1e-12)
    heard.real[bin] = real * scale
    heard.imaginary[bin] = imaginary * scale
  }
  fourier.inverse(heard)
  const delays = maxDelaySamples / step
  const correlationAt = (delay: number) => Math.abs(heard.real[(size + delay - delays) % size]!)
  let [best, power] = [0, 0]
  for (let delay = 0; delay <= delays; delay++) {
    power += correlationAt(delay) ** 2
    if (correlationAt(delay) > correlationAt(best)) best = delay
  }
  const deviations = correlationAt(best) / Math.sqrt(power / delays)
  return deviations > minDeviations ? { samples: best * step, deviations } : undefined
}

/** The mean of two samples is a filter against the frequencies that cannot be represented. */
function everySecond(samples: Float32Array): Float32Array {
  return Float32Array.from(
    { length: samples.length / step },
    (_, at) => (samples[2 * at]! + samples[2 * at + 1]!) / 2,
  )
}
