import { envelopeBands } from './envelope-bands.ts'

const frameSamples = 2 * envelopeBands

/**
 * The mean power of speech in each band of the envelope, smoothed over neighbouring bands, so that it depends less on
 * the positions of harmonics. Slow: meant for voices that are measured in advance.
 */
export function powerSpectrum(samples: Float32Array): number[] {
  const powers = new Float64Array(envelopeBands)
  for (let start = 0; start + frameSamples <= samples.length; start += frameSamples / 2) {
    const frame = samples.subarray(start, start + frameSamples).map((sample, index) => {
      return sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / frameSamples))
    })
    for (let band = 0; band < envelopeBands; band++) powers[band]! += powerAt(frame, band)
  }
  const mean = powers.reduce((sum, power) => sum + power, 0) / envelopeBands
  const even = powers.map((power, band) => {
    return ((powers[band - 1] ?? power) + power + (powers[band + 1] ?? power)) / 3
  })
  return Array.from(even, (power) => Number((10 * Math.log10(power / mean + 1e-9)).toFixed(1)))
}

/** Goertzel algorithm: the power of one frequency in the frame. */
function powerAt(frame: Float32Array, band: number): number {
  const twice = 2 * Math.cos((2 * Math.PI * band) / frame.length)
  let last = 0
  let beforeLast = 0
  for (const sample of frame) {
    const next = sample + twice * last - beforeLast
    beforeLast = last
    last = next
  }
  return last * last + beforeLast * beforeLast - twice * last * beforeLast
}
