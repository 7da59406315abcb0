import type { ResourceUsage } from '../programs/channel.ts'

/** The resources of a process at one time. */
export interface Sample {
  minute: number
  usage: ResourceUsage
}

/** The first part of a run: a share of it, up to a number of minutes. */
interface WarmUp {
  share: number
  maxMinutes: number
}

/** Caches fill, and V8 compiles most of what runs often. */
const ofCaches: WarmUp = { share: 1 / 4, maxMinutes: 10 }
/** The allocator keeps freed memory, up to the largest amount that all threads need at the same time. */
const ofAllocator: WarmUp = { share: 1 / 2, maxMinutes: 30 }

/** The measured figures of a process, and how much each varies with the current load. */
export const figures = {
  heap: { of: (usage: ResourceUsage) => usage.heapBytes, noiseKiB: 2 * 1024, warmUp: ofCaches },
  // V8 goes on to compile what runs seldom, by ever less: no noise, but no leak either.
  code: { of: (usage: ResourceUsage) => usage.codeBytes, noiseKiB: 8 * 1024, warmUp: ofCaches },
  buffers: {
    of: (usage: ResourceUsage) => usage.bufferBytes,
    noiseKiB: 4 * 1024,
    warmUp: ofCaches,
  },
  rss: { of: (usage: ResourceUsage) => usage.rssBytes, noiseKiB: 64 * 1024, warmUp: ofAllocator },
} as const
export type Figure = keyof typeof figures

export interface Slope {
  fromMinute: number
  kibPerMinute: number
  /**
   * Three standard errors: the slope that noise can cause. The noise of a sample does not depend on the length of the run,
   * and tilts a long line less than a short one, so a longer run has a lower limit.
   */
  limitKibPerMinute: number
}

/** Fits a line to the samples after the warm-up, by least squares. */
export function slopeOf(
  samples: readonly Sample[],
  figure: Figure,
  warmUp: WarmUp = figures[figure].warmUp,
): Slope {
  const fromMinute = Math.min(warmUp.maxMinutes, (samples.at(-1)?.minute ?? 0) * warmUp.share)
  const { of, noiseKiB } = figures[figure]
  const points = samples
    .filter(({ minute }) => minute >= fromMinute)
    .map(({ minute, usage }) => ({ x: minute, y: of(usage) / 1024 }))
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
