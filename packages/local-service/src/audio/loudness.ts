const frameSeconds = 0.01
const speechDecibels = 25

/**
 * Measures how loud speech sounds: the root mean square of its spoken parts, weighted as in ITU-R BS.1770.
 * @returns 0…1; 0 for silence.
 */
export function speechLevel(samples: Float32Array, sampleRateHertz: number): number {
  const frameSamples = Math.round(frameSeconds * sampleRateHertz)
  const powers = meanPowers(weighted(samples, sampleRateHertz), frameSamples, frameSamples)
  const loudest = [...powers].sort((first, second) => second - first)[powers.length >> 4] ?? 0
  const spoken = powers.filter((power) => power > loudest * 10 ** (-speechDecibels / 10))
  const sum = spoken.reduce((total, power) => total + power, 0)
  return spoken.length > 0 ? Math.sqrt(sum / spoken.length) : 0
}

/** The factor by which the weighting changes the power at a frequency; see `weighted`. */
export function weightAt(hertz: number): number {
  const shelf = (hertz / 1500) ** 2
  return (1 + shelf * 10 ** 0.4) / (1 + shelf) / (1 + (60 / Math.max(1, hertz)) ** 4)
}

/** The two filters of BS.1770: a shelf of 4 dB above 1.5 kHz, which models the head, and a high-pass at 38 Hz. */
export function weighted(samples: Float32Array, sampleRateHertz: number): Float32Array {
  const shelf = biquad(highShelf(1681.97 / sampleRateHertz, 3.99984, 0.70718))
  const highPass = biquad(highPassAt(38.135 / sampleRateHertz, 0.50033))
  return samples.map((sample) => highPass(shelf(sample)))
}

/** The mean power of each whole block. @param step how far each block begins after the one before, in samples. */
export function meanPowers(samples: Float32Array, size: number, step: number): number[] {
  const powers: number[] = []
  for (let start = 0; start + size <= samples.length; start += step) {
    let sum = 0
    for (let index = start; index < start + size; index++) sum += samples[index]! ** 2
    powers.push(sum / size)
  }
  return powers
}

interface Coefficients {
  feedForward: readonly [number, number, number]
  feedBack: readonly [number, number, number]
}

function highShelf(frequency: number, decibels: number, quality: number): Coefficients {
  const slope = Math.tan(Math.PI * frequency)
  const high = 10 ** (decibels / 20)
  const middle = high ** 0.4996667741545416
  return {
    feedForward: [
      high + (middle * slope) / quality + slope ** 2,
      2 * (slope ** 2 - high),
      high - (middle * slope) / quality + slope ** 2,
    ],
    feedBack: [
      1 + slope / quality + slope ** 2,
      2 * (slope ** 2 - 1),
      1 - slope / quality + slope ** 2,
    ],
  }
}

function highPassAt(frequency: number, quality: number): Coefficients {
  const slope = Math.tan(Math.PI * frequency)
  const feedBack = [
    1 + slope / quality + slope ** 2,
    2 * (slope ** 2 - 1),
    1 - slope / quality + slope ** 2,
  ] as const
  return { feedForward: [feedBack[0], -2 * feedBack[0], feedBack[0]], feedBack }
}

function biquad({ feedForward, feedBack }: Coefficients): (sample: number) => number {
  const [whole] = feedBack
  const [b0, b1, b2] = feedForward.map((value) => value / whole) as [number, number, number]
  const [, a1, a2] = feedBack.map((value) => value / whole) as [number, number, number]
  let first = 0
  let second = 0
  return (sample) => {
    const output = b0 * sample + first
    first = b1 * sample - a1 * output + second
    second = b2 * sample - a2 * output
    return output
  }
}
