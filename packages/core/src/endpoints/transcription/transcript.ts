import { z } from 'zod'
import {
  type SentenceMatch,
  transcribeConfigSchema,
  type transcriptionUsageSchema,
  type transcriptSchema,
} from '../../wire/transcription.ts'

/** A word of a transcript, in seconds from the start of the recording or of the stream. */
export interface TranscribedWord {
  text: string
  startSeconds: number
  endSeconds: number
  /** 0 to 1; absent if the service sends none. */
  confidence?: number
}

/** The text that a speaker said. A member is absent if the service sends no value. */
export interface Transcript {
  /** The text; empty if nobody speaks. */
  text: string
  /** Only if the request asks for `wordTimestamps`. */
  words?: readonly TranscribedWord[]
  /** 0 to 1. */
  confidence?: number
  /** BCP-47. */
  language?: string
  /** Only if the request has `sentences`, and the service supports them. */
  sentenceMatch?: SentenceMatch
}

/** The usage that the service counted. */
export interface TranscriptionUsage {
  /** The length of the audio, in milliseconds. */
  transcribedAudioMs: number
  modelId?: string
}

const { modelId, language, prompts, sentences } = transcribeConfigSchema.shape

/** The settings that recordings and streams have in common. */
export interface TranscriptionSettings {
  /** A recognition model of the service. Default: the service chooses one. */
  modelId?: string
  /** BCP-47, such as `en-US`. Default: detected, or the language of the model. */
  language?: string
  /** Requests the time of each word. Default false. */
  wordTimestamps?: boolean
  /** Words and names that the speaker may use, as a hint for the model. */
  prompts?: string[]
  /**
   * The only sentences that the speaker may say: at most 5,000, of up to 200 characters each. The result then has a
   * `sentenceMatch`. Only the local service supports this; other services ignore it.
   */
  sentences?: string[]
}

export const transcriptionSettings = {
  modelId,
  language,
  wordTimestamps: z.boolean().optional(),
  prompts,
  sentences,
}

/** Converts a transcript of the protocol. */
export function readTranscript(sent: z.output<typeof transcriptSchema>): Transcript {
  const { transcript, wordTimestamps, confidence, language, sentenceMatch } = sent
  return {
    text: transcript ?? '',
    ...(wordTimestamps && { words: wordTimestamps.map(readWord) }),
    ...(typeof confidence === 'number' && { confidence }),
    ...(language && { language }),
    ...(sentenceMatch && { sentenceMatch: readMatch(sentenceMatch) }),
  }
}

type SentWord = NonNullable<z.output<typeof transcriptSchema>['wordTimestamps']>[number]
type SentMatch = NonNullable<z.output<typeof transcriptSchema>['sentenceMatch']>

function readWord({ word, startTimeMs, endTimeMs, confidence }: SentWord): TranscribedWord {
  return {
    text: word,
    startSeconds: startTimeMs / 1000,
    endSeconds: endTimeMs / 1000,
    ...(typeof confidence === 'number' && { confidence }),
  }
}

function readMatch({ sentence, nearest, reason }: SentMatch): SentenceMatch {
  return { sentence, nearest, ...(reason && { reason }) }
}

/** Converts the usage of the protocol. @returns `undefined` if it contains no length. */
export function readTranscriptionUsage(
  sent: z.output<typeof transcriptionUsageSchema> | null | undefined,
): TranscriptionUsage | undefined {
  if (typeof sent?.transcribedAudioMs !== 'number') return undefined
  const { transcribedAudioMs, modelId } = sent
  return { transcribedAudioMs, ...(modelId && { modelId }) }
}
