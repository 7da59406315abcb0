import type { SentenceMatch } from '@parlando/core/wire'
import type { RecognisedWord } from '../recognisers/recogniser.ts'

/** A turn of a speaker in a recording. Times count from the start of the recording. */
export interface Segment {
  text: string
  startSeconds: number
  endSeconds: number
  words?: readonly RecognisedWord[]
  confidence?: number
  /** The language that was spoken, such as `de`. Absent if the recogniser does not report it. */
  language?: string
  sentenceMatch?: SentenceMatch
}

/** The transcript of a whole recording. */
export interface RecordingTranscript {
  text: string
  segments: readonly Segment[]
  words?: readonly RecognisedWord[]
  confidence?: number
  /** The language of the first turn that has one. */
  language?: string
  sentenceMatch?: SentenceMatch
}

/** The transcript of all turns of a recording. */
export async function joinSegments(segments: AsyncIterable<Segment>): Promise<RecordingTranscript> {
  const all: Segment[] = []
  for await (const segment of segments) {
    if (segment.text || segment.sentenceMatch) all.push(segment)
  }
  const spoken = all.filter(({ text }) => text !== '')
  const words = spoken.flatMap((segment) => segment.words ?? [])
  const rated = spoken.flatMap(({ confidence, text }) =>
    confidence === undefined ? [] : [{ confidence, length: text.length }],
  )
  const length = rated.reduce((sum, segment) => sum + segment.length, 0)
  const confidence = rated.reduce((sum, part) => sum + part.confidence * (part.length / length), 0)
  const language = spoken.find((segment) => segment.language)?.language
  return {
    text: spoken.map(({ text }) => text).join(' '),
    segments: spoken,
    ...(spoken.some((segment) => segment.words) && { words }),
    ...(rated.length > 0 && { confidence }),
    ...(language && { language }),
    sentenceMatch: joinMatches(all),
  }
}

/** Several turns are never one of the sentences, even if one of them is. */
function joinMatches(segments: readonly Segment[]): SentenceMatch | undefined {
  const spoken = segments.filter(({ text }) => text !== '')
  const [first, second] = spoken.length > 0 ? spoken : segments
  const match = first?.sentenceMatch
  if (!match || !second || match.sentence === null) return match
  return { sentence: null, nearest: [match.sentence], reason: 'different' }
}

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
