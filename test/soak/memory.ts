import type { Held } from './channel.ts'

/** The memory of a process at a time. */
export interface Sample {
  minute: number
  held: Held
}

/** The first part of a run, with a maximum in minutes. */
interface WarmUp {
  share: number
  maxMinutes: number
}

/** Time to fill caches and compile code. */
const ofCode: WarmUp = { share: 1 / 4, maxMinutes: 10 }
/** The allocator keeps freed memory until it has enough for all threads in parallel. */
const ofAllocator: WarmUp = { share: 1 / 2, maxMinutes: 30 }

/** The measured figures of a process, and their noise from sample to sample. */
export const figures = {
  heap: { of: (held: Held) => held.heapBytes, noiseKiB: 2 * 1024, warmUp: ofCode },
  buffers: { of: (held: Held) => held.bufferBytes, noiseKiB: 4 * 1024, warmUp: ofCode },
  rss: { of: (held: Held) => held.rssBytes, noiseKiB: 64 * 1024, warmUp: ofAllocator },
} as const
export type Figure = keyof typeof figures

export interface Slope {
  fromMinute: number
  kibPerMinute: number
  /**
   * Three standard errors: random noise can tilt the line by this much. The noise of a sample does not depend on the
   * length of the run and tilts a long line less than a short one, so a long run allows less.
   */
  limitKibPerMinute: number
}

/** The line through the samples after the warm-up, by least squares. */
export function slopeOf(
  samples: readonly Sample[],
  figure: Figure,
  warmUp: WarmUp = figures[figure].warmUp,
): Slope {
  const fromMinute = Math.min(warmUp.maxMinutes, (samples.at(-1)?.minute ?? 0) * warmUp.share)
  const { of, noiseKiB } = figures[figure]
  const points = samples
    .filter(({ minute }) => minute >= fromMinute)
    .map(({ minute, held }) => ({ x: minute, y: of(held) / 1024 }))
  const meanX = mean(points.map(({ x }) => x))
  const meanY = mean(points.map(({ y }) => y))
  const covariance = mean(points.map(({ x, y }) => (x - meanX) * (y - meanY)))
  const variance = mean(points.map(({ x }) => (x - meanX) ** 2))
  const minutes = points.at(-1)!.x - points[0]!.x
  return {
    fromMinute,
    kibPerMinute: covariance / variance,
    limitKibPerMinute: (3 * noiseKiB * Math.sqrt(12 / points.length)) / minutes,
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
