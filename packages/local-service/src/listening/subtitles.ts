import type { Segment } from './transcribe-recording.ts'

/** Writes segments as SubRip (.srt). */
export function toSrt(segments: readonly Segment[]): string {
  const cues = segments.map((segment, index) => `${index + 1}\n${toCue(segment, ',')}\n`)
  return cues.join('\n')
}

/** Writes segments as WebVTT. */
export function toVtt(segments: readonly Segment[]): string {
  return ['WEBVTT\n', ...segments.map((segment) => `${toCue(segment, '.')}\n`)].join('\n')
}

function toCue({ startSeconds, endSeconds, text }: Segment, decimalSign: string): string {
  const [start, end] = [startSeconds, endSeconds].map((time) => toTime(time, decimalSign))
  return `${start} --> ${end}\n${text}`
}

/** 3723.5 → `01:02:03.500`. */
function toTime(seconds: number, decimalSign: string): string {
  const iso = new Date(Math.round(seconds * 1000)).toISOString()
  return iso.slice('1970-01-01T'.length, -1).replace('.', decimalSign)
}
