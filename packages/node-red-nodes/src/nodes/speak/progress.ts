import type { AudioStats } from './audio-facts.ts'

export interface SpeechProgress {
  percent: number
  /** The time that is left, such as `40 s` or `3 min`. */
  left: string
}

/** Shorter texts take so little time that the progress does not matter. */
const minCharacters = 20_000
/** Before this share is spoken, the time until the first audio would make the estimate many times too long. */
export const minShare = 0.01
/** The client speaks a long text in pieces of at most 2,000 characters, and requests one piece ahead. */
const maxAheadCharacters = 4000
/** The pace of English speech at the normal speaking rate. */
const charactersPerSecond = 15.5

/**
 * Estimates how much of a long text is spoken, and how long the rest will take.
 * @returns `undefined` for a short text, and until enough is spoken for an estimate.
 */
export function estimateProgress(
  { characters, durationSeconds, usage }: AudioStats,
  textCharacters: number,
  elapsedMs: number,
): SpeechProgress | undefined {
  if (textCharacters <= minCharacters || usage === undefined) return undefined
  // The service counts a piece when it begins with it. The length of the audio says how far it is within the piece.
  const latest = Math.min(characters, textCharacters)
  const earliest = Math.max(latest - maxAheadCharacters, 1)
  const charactersOfAudio = (durationSeconds ?? 0) * charactersPerSecond
  const spoken = Math.min(Math.max(charactersOfAudio, earliest), latest)
  if (spoken < textCharacters * minShare) return undefined
  const leftSeconds = ((elapsedMs / spoken) * (textCharacters - spoken)) / 1000
  return { percent: percentOf(spoken, textCharacters), left: durationText(leftSeconds) }
}

/** Never 100, before the end. */
export function percentOf(spoken: number, textCharacters: number): number {
  return Math.min(Math.floor((spoken / textCharacters) * 100), 99)
}

/** A duration such as `40 s` or `3 min`. */
export function durationText(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`
}
