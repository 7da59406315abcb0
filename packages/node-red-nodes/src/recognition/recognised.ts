import type { Transcript, Transcription } from '@parlando/core'
import { areSameWords } from './same-words.ts'

/** What a recogniser understood: a whole recording, or one turn of a speaker. */
export type Recognised = Transcript & Partial<Pick<Transcription, 'durationSeconds' | 'modelId'>>

/** Which sentence of a list fits what was said. */
export interface SentenceFit {
  /** Absent or `null` if none is certain enough. */
  sentence?: string | null
  /** The sentences most like it, the nearest first. */
  nearest: readonly string[]
  reason?: 'different' | 'noise'
}

/**
 * The sentence of a list that was said. A short word may fit too little better than any sounds; if it is also the transcript
 * without the list, two searches agree.
 * @returns nothing if none is certain.
 */
export function certainSentence(
  transcript: string,
  { sentence, nearest: [best], reason }: SentenceFit,
): string | undefined {
  if (typeof sentence === 'string') return sentence
  const isAgreed = reason !== 'noise' && best !== undefined && areSameWords(best, transcript)
  return isAgreed ? best : undefined
}
