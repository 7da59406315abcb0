import { createSpectrum } from '../../audio/spectrum.ts'
import { frameSamples } from './detectors.ts'

/** Finds the tones of instruments, which keep their pitch. The pitch of a voice moves all the time. */
export interface SteadyTones {
  /** @param samples 20 ms at 16 kHz. */
  push(samples: Int16Array): void
  /** Whether the latest sound has the same tones as that of 60 ms earlier. Calculates spectra, so ask for voice only. */
  detect(): boolean
}

// The lower harmonics of voices and instruments, up to 1,900 Hz: a fourth of the samples is enough.
const decimation = 4
const frameLength = frameSamples / decimation
/** 64 ms. A bin is 16 Hz wide. */
const size = 256
const lagFrames = 3
const [firstBin, endBin] = [10, 120]
/** A bin is compared with this many bins on each side, so that the shape of the spectrum does not count. */
const reach = 4
// Steady tones have 0.82 and more even right after they begin. At the start of a turn, speech has up to 0.64, in noise too.
const minSimilarity = 0.75
const keptLength = size + lagFrames * frameLength

export function createSteadyTones(): SteadyTones {
  const spectrum = createSpectrum(size)
  const weights = Float32Array.from({ length: size }, (_, index) => {
    return 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size)
  })
  const kept = new Float32Array(keptLength)
  const weighted = new Float32Array(size)
  /** The peaks of the latest frames, the last one first, as far as they were calculated. */
  let peaks: (Float32Array | undefined)[] = []

  const calculatePeaks = (framesAgo: number): Float32Array => {
    const start = (lagFrames - framesAgo) * frameLength
    for (let index = 0; index < size; index++) {
      weighted[index] = kept[start + index]! * weights[index]!
    }
    // The 1 keeps the logarithm of digital silence finite.
    return subtractMean(spectrum.powersOf(weighted).map((power) => Math.log(power + 1)))
  }
  const peaksOf = (framesAgo: number): Float32Array => {
    const known = peaks[framesAgo] ?? calculatePeaks(framesAgo)
    peaks[framesAgo] = known
    return known
  }
  return {
    push(samples) {
      peaks = [undefined, ...peaks.slice(0, lagFrames)]
      kept.copyWithin(0, frameLength)
      for (let index = 0; index < frameLength; index++) {
        let sum = 0
        for (let at = 0; at < decimation; at++) sum += samples[index * decimation + at]!
        kept[keptLength - frameLength + index] = sum / decimation
      }
    },
    detect: () => similarity(peaksOf(0), peaksOf(lagFrames)) > minSimilarity,
  }
}

/** Subtracts from each bin the mean of the bins around it. */
function subtractMean(levels: Float32Array): Float32Array {
  const peaks = new Float32Array(endBin - firstBin)
  let sum = 0
  for (let bin = firstBin - reach; bin < firstBin + reach; bin++) sum += levels[bin]!
  for (let bin = firstBin; bin < endBin; bin++) {
    sum += levels[bin + reach]!
    peaks[bin - firstBin] = levels[bin]! - sum / (2 * reach + 1)
    sum -= levels[bin - reach]!
  }
  return peaks
}

/** The cosine of the angle between two vectors: 1 if they have the same direction. */
function similarity(first: Float32Array, second: Float32Array): number {
  let [product, firstSquare, secondSquare] = [0, 0, 0]
  for (let index = 0; index < first.length; index++) {
    product += first[index]! * second[index]!
    firstSquare += first[index]! ** 2
    secondSquare += second[index]! ** 2
  }
  return product / Math.sqrt(firstSquare * secondSquare || 1)
}
