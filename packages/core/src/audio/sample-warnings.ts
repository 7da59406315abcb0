/**
 * The limits of a recording to clone from. Length and size are documented by the service. "4 MB" is read as 4 MiB, so
 * that the client rejects nothing that the service may accept. The service trims a longer recording.
 */
export const voiceSampleLimits = {
  maxBytes: 4 * 1024 * 1024,
  minSeconds: 5,
  maxSeconds: 15,
} as const

/** The problems of a recording that may make a cloned voice worse. `not-kept`: the service does not keep the recording. */
export type SampleWarningCode = 'too-short' | 'too-long' | 'clipped' | 'noisy' | 'not-kept'

/** A reason why a recording may make a cloned voice worse. The service uses the recording anyway. */
export interface SampleWarning {
  code: SampleWarningCode
  /** A sentence for the user that says what to improve. */
  text: string
}

/** A recording at full volume reaches full scale in a few samples. Above this share, it is clipped. */
const maxClippedShare = 0.001

/** The warnings about the length of a recording. @param seconds the length of the whole recording. */
export function durationWarnings(seconds: number): SampleWarning[] {
  // Rounded first: encoders pad the end by a few hundredths of a second.
  const { minSeconds, maxSeconds } = voiceSampleLimits
  const rounded = Math.round(seconds * 10) / 10
  if (rounded < minSeconds) {
    const text = `The sample is ${rounded} s long; ${minSeconds} to ${maxSeconds} s make a better voice`
    return [{ code: 'too-short', text }]
  }
  return rounded > maxSeconds ? [trimmedWarning(`is ${rounded} s long`)] : []
}

/** The warning about a recording that is longer than the limit. @param length the length, if known. */
export function trimmedWarning(length?: string): SampleWarning {
  const { maxSeconds } = voiceSampleLimits
  const how = length ?? `is longer than ${maxSeconds} s`
  return { code: 'too-long', text: `The sample ${how}; the service uses only ${maxSeconds} s` }
}

/** The warnings about clipping. @param clippedShare the share of samples at full scale, 0 to 1. */
export function clippingWarnings(clippedShare: number): SampleWarning[] {
  if (clippedShare <= maxClippedShare) return []
  const percent = (clippedShare * 100).toFixed(1)
  const text = `The sample is clipped: ${percent} % is at full scale; record it again with less gain`
  return [{ code: 'clipped', text }]
}

/** The warning about background noise. */
export const noiseWarning: SampleWarning = {
  code: 'noisy',
  text: 'The sample is noisy between the words; record it in a quieter place, or use removeBackgroundNoise',
}
