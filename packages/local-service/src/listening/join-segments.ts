import type { RecognisedWord, SentenceMatch } from '../recognisers/recogniser.ts'
import type { Segment } from './transcribe-recording.ts'

/** The transcript of a whole recording. */
export interface Transcript {
  text: string
  segments: readonly Segment[]
  words?: readonly RecognisedWord[]
  confidence?: number
  sentenceMatch?: SentenceMatch
}

export async function joinSegments(segments: AsyncIterable<Segment>): Promise<Transcript> {
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
  return {
    text: spoken.map(({ text }) => text).join(' '),
    segments: spoken,
    ...(spoken.some((segment) => segment.words) && { words }),
    ...(rated.length > 0 && { confidence }),
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
