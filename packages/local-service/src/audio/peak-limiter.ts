import { joinSamples } from './signal.ts'

/** Lowers the loudest moments of a sound, so that the true peak stays below −1 dBTP, as EBU R 128 requires. */
export interface PeakLimiter {
  /** @returns the samples that are ready; the last ones need more input. */
  push(samples: Float32Array): Float32Array
  /** @returns the rest, less than 5 ms at 16 kHz. */
  end(): Float32Array
}

/** −1 dBTP, less 1.2 dB: so few taps measure too little between samples at the highest frequencies. */
const maxLevel = 10 ** (-2.2 / 20)
/** A peak lowers this many samples before and after it, 2 ms at 16 kHz, twice: that far, and then in a smooth slope. */
const reach = 32
const halfTaps = 6
const delaySamples = 2 * reach + halfTaps

/** Between two samples the waveform can be higher than both. For each quarter of the way, the taps that interpolate. */
const quarters = [1, 2, 3].map((quarter) =>
  Float32Array.from({ length: 2 * halfTaps }, (_, tap) => {
    const distance = tap - halfTaps + 1 - quarter / 4
    const window = Math.cos((Math.PI * distance) / (2 * halfTaps)) ** 2
    return (window * Math.sin(Math.PI * distance)) / (Math.PI * distance)
  }),
)

/** The result does not depend on how the sound is split into pieces. */
export function createPeakLimiter(): PeakLimiter {
  // The samples around the last output, which also shape what follows.
  let held: Float32Array = new Float32Array(delaySamples)
  const push = (samples: Float32Array): Float32Array => {
    const all = joinSamples([held, samples])
    const end = Math.max(delaySamples, all.length - delaySamples)
    held = all.slice(end - delaySamples)
    limit(all, delaySamples, end)
    return all.subarray(delaySamples, end)
  }
  return { push, end: () => push(new Float32Array(delaySamples)) }
}

/** Changes the samples from `start` to `end`. */
function limit(samples: Float32Array, start: number, end: number): void {
  const gains = lowestGains(samples)
  if (!gains) return
  for (let index = start; index < end; index++) {
    let sum = 0
    for (let at = index - reach; at <= index + reach; at++) sum += gains[at]!
    samples[index]! *= sum / (2 * reach + 1)
  }
}

/** @returns for each sample the lowest gain that a peak near it needs; `undefined` if there is no such peak. */
function lowestGains(samples: Float32Array): Float32Array | undefined {
  let gains: Float32Array | undefined
  for (let index = halfTaps; index < samples.length - halfTaps; index++) {
    const peak = peakAt(samples, index)
    if (peak <= maxLevel) continue
    gains ??= new Float32Array(samples.length).fill(1)
    const last = Math.min(samples.length - 1, index + reach)
    for (let at = Math.max(0, index - reach); at <= last; at++) {
      gains[at] = Math.min(gains[at]!, maxLevel / peak)
    }
  }
  return gains
}

/** The level of a sample and of the waveform up to the next one. */
function peakAt(samples: Float32Array, index: number): number {
  let peak = Math.abs(samples[index]!)
  // The waveform between quiet samples is quiet, too.
  if (peak < maxLevel / 3 && Math.abs(samples[index + 1]!) < maxLevel / 3) return peak
  for (const taps of quarters) {
    let sum = 0
    for (let tap = 0; tap < taps.length; tap++) {
      sum += taps[tap]! * samples[index - halfTaps + 1 + tap]!
    }
    peak = Math.max(peak, Math.abs(sum))
  }
  return peak
}
