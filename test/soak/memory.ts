import type { Held } from './channel.ts'

/** What a process held at a time. */
export interface Sample {
  minute: number
  held: Held
}

/** What is watched of a process, and how much it varies from sample to sample by what is at work. */
export const figures = {
  heap: { of: (held: Held) => held.heapBytes, noiseKiB: 2 * 1024 },
  buffers: { of: (held: Held) => held.bufferBytes, noiseKiB: 4 * 1024 },
  rss: { of: (held: Held) => held.rssBytes, noiseKiB: 64 * 1024 },
} as const
export type Figure = keyof typeof figures

export interface Slope {
  kibPerMinute: number
  /**
   * Three standard errors: by so much chance alone may tilt the line. The noise of a sample is the same however long the
   * run is, and tilts a long line less than a short one, so a long run allows less.
   */
  limitKibPerMinute: number
}

/** Caches fill and code is compiled in the first quarter, in a long run in the first ten minutes. */
function afterWarmUp(samples: readonly Sample[]): Sample[] {
  const minutes = samples.at(-1)?.minute ?? 0
  const from = Math.min(10, minutes / 4)
  return samples.filter(({ minute }) => minute >= from)
}

/** The line through the samples, by least squares. */
export function slopeOf(samples: readonly Sample[], figure: Figure): Slope {
  const { of, noiseKiB } = figures[figure]
  const points = afterWarmUp(samples).map(({ minute, held }) => ({ x: minute, y: of(held) / 1024 }))
  const meanX = mean(points.map(({ x }) => x))
  const meanY = mean(points.map(({ y }) => y))
  const covariance = mean(points.map(({ x, y }) => (x - meanX) * (y - meanY)))
  const variance = mean(points.map(({ x }) => (x - meanX) ** 2))
  const minutes = points.at(-1)!.x - points[0]!.x
  return {
    kibPerMinute: covariance / variance,
    limitKibPerMinute: (3 * noiseKiB * Math.sqrt(12 / points.length)) / minutes,
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
