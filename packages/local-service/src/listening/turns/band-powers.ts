import { createSpectrum } from '../../audio/fft.ts'

const size = 256
/** The first bin of each band and the bin after the last band. A bin is 62.5 Hz wide: the bands reach from 125 to 7,000 Hz. */
const edges = [2, 4, 8, 14, 24, 40, 64, 112]

export const bandCount = edges.length - 1

/** The power in each frequency band of the last 16 ms, for samples at 16 kHz. */
export interface BandMeter {
  /** @returns the powers after these samples. Valid until the next call. */
  push(samples: Int16Array): Float32Array
}

export function createBandMeter(): BandMeter {
  const spectrum = createSpectrum(size)
  const weights = Float32Array.from({ length: size }, (_, index) => {
    return (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size)) / 32_768
  })
  const recent = new Float32Array(size)
  const weighted = new Float32Array(size)
  const powers = new Float32Array(bandCount)
  return {
    push(samples) {
      recent.copyWithin(0, samples.length)
      recent.set(samples, size - samples.length)
      for (let index = 0; index < size; index++) weighted[index] = recent[index]! * weights[index]!
      const bins = spectrum.powersOf(weighted)
      for (let band = 0; band < bandCount; band++) {
        let sum = 0
        for (let bin = edges[band]!; bin < edges[band + 1]!; bin++) sum += bins[bin]!
        powers[band] = sum
      }
      return powers
    },
  }
}
