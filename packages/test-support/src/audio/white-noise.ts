import { createRandom } from '../random.ts'

/**
 * The same in every run.
 * @param samples mono, 16 kHz: 16 for a millisecond.
 * @param amplitude 1 is full scale.
 */
export function whiteNoise(samples: number, amplitude: number): Int16Array {
  const random = createRandom(1)
  return new Int16Array(samples).map(() => amplitude * 32_767 * (2 * random() - 1))
}
