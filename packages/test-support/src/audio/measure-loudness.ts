/** The rate of the samples that the meter accepts. The standard states its filters for this rate. */
export const meterRateHertz = 48_000

type Coefficients = readonly [b0: number, b1: number, b2: number, a1: number, a2: number]

// ITU-R BS.1770-4, tables 1 and 2: a shelf above 1.5 kHz, which models the head, and a high-pass.
const shelf: Coefficients = [
  1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
]
const highPass: Coefficients = [1, -2, 1, -1.99004745483398, 0.99007225036621]

const blockSamples = 0.4 * meterRateHertz
const stepSamples = 0.1 * meterRateHertz
const absoluteGate = -70
const relativeGate = -10

/** Measures the integrated loudness by EBU R 128. @param samples mono, −1…1. @returns LUFS; −Infinity for silence. */
export function integratedLoudness(samples: Float32Array): number {
  const powers = blockPowers(filter(filter(samples, shelf), highPass))
  const audible = powers.filter((power) => toLufs(power) > absoluteGate)
  const gate = toLufs(mean(audible)) + relativeGate
  return toLufs(mean(audible.filter((power) => toLufs(power) > gate)))
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length || 0
}

function filter(samples: Float32Array, [b0, b1, b2, a1, a2]: Coefficients): Float32Array {
  let [first, second] = [0, 0]
  return samples.map((sample) => {
    const output = b0 * sample + first
    first = b1 * sample - a1 * output + second
    second = b2 * sample - a2 * output
    return output
  })
}

/** The mean power of blocks that overlap by three quarters. */
function blockPowers(samples: Float32Array): number[] {
  const powers: number[] = []
  for (let start = 0; start + blockSamples <= samples.length; start += stepSamples) {
    const block = samples.subarray(start, start + blockSamples)
    powers.push(block.reduce((sum, sample) => sum + sample * sample, 0) / blockSamples)
  }
  return powers
}

const oversampling = 4
const halfTaps = 12

/** Measures the peak of the waveform between the samples as well. @returns dBTP. */
export function truePeak(samples: Float32Array): number {
  let peak = 0
  for (let phase = 0; phase < oversampling; phase++) {
    const taps = Float64Array.from({ length: 2 * halfTaps }, (_, tap) => {
      const distance = tap - halfTaps + 1 - phase / oversampling
      const window = Math.cos((Math.PI * distance) / (2 * halfTaps)) ** 2
      return window * (distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance))
    })
    for (let start = 0; start + taps.length <= samples.length; start++) {
      let sum = 0
      for (let tap = 0; tap < taps.length; tap++) sum += taps[tap]! * samples[start + tap]!
      peak = Math.max(peak, Math.abs(sum))
    }
  }
  return 20 * Math.log10(peak)
}
