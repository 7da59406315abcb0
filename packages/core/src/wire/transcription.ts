import { z } from 'zod'
import { looseObject, numberSchema, strictObject } from './object-schema.ts'
import { problemSchema } from './problem.ts'

/** Encodings that a request can name. `AUTO_DETECT` reads the header of the file; `LINEAR16` is PCM without a header. */
export const transcriptionEncodings = [
  'AUTO_DETECT',
  'LINEAR16',
  'MP3',
  'OGG_OPUS',
  'FLAC',
] as const

/** One of `transcriptionEncodings`. */
export type TranscriptionEncoding = (typeof transcriptionEncodings)[number]

/** The defaults of the service. */
export const defaultTranscriptionConfig = {
  audioEncoding: 'AUTO_DETECT',
  sampleRateHertz: 16_000,
  numberOfChannels: 1,
} as const

/** The limits of `sentences`. */
export const sentenceLimits = { maxSentences: 5000, maxCharacters: 200 } as const

/** How to transcribe. `defaultTranscriptionConfig` has the defaults. */
export const transcribeConfigSchema = strictObject({
  /** A recognition model of the service. Default: the service chooses one. */
  modelId: z.string().min(1, 'must not be empty').optional(),
  /** In any letter case. Default `AUTO_DETECT`. A stream accepts `LINEAR16` only. */
  audioEncoding: z
    .preprocess(
      (encoding) => (typeof encoding === 'string' ? encoding.toUpperCase() : encoding),
      z.enum(transcriptionEncodings),
    )
    .optional(),
  /** BCP-47, such as `en-US`. Default: detected, or the language of the model. */
  language: z.string().min(1, 'must not be empty').optional(),
  /** The rate of `LINEAR16`. Default 16000. */
  sampleRateHertz: z.int().min(8000).max(48_000).optional(),
  /** The channels of `LINEAR16`. Default 1. */
  numberOfChannels: z.int().min(1).max(8).optional(),
  /** Requests the time of each word. Default false. */
  includeWordTimestamps: z.boolean().optional(),
  /** Words and names that the speaker may use, as a hint for the model. */
  prompts: z.array(z.string()).optional(),
  /**
   * The only sentences that the speaker may say. The response then has a `sentenceMatch`. An extension of the local
   * service: a service that does not know this field ignores it.
   */
  sentences: z
    .array(z.string().trim().min(1, 'must not be empty').max(sentenceLimits.maxCharacters))
    .min(1, 'must contain at least one sentence')
    .max(sentenceLimits.maxSentences)
    .optional(),
})

/** How to transcribe. */
export type TranscribeConfig = z.infer<typeof transcribeConfigSchema>

const contentSchema = strictObject({
  /** Base64. */
  content: z.string(),
})

/** The body of `POST /stt/v1/transcribe`. */
export const transcribeRequestSchema = strictObject({
  transcribeConfig: transcribeConfigSchema,
  /** The recording: a file, or `LINEAR16`. */
  audioData: contentSchema,
})

/** A recording to transcribe, in base64, with the settings. */
export type TranscribeRequest = z.infer<typeof transcribeRequestSchema>

/** A word with its times, from the start of the recording or of the stream. */
const wordTimestampSchema = looseObject({
  word: z.string(),
  /** 0 to 1. */
  confidence: z.number().nullish(),
  startTimeMs: numberSchema,
  endTimeMs: numberSchema,
})

/** How the transcript compares with `sentences`. */
export const sentenceMatchSchema = looseObject({
  /** One of the sentences of the request, or `null` if the service did not understand one of them. */
  sentence: z.string().nullable(),
  /** The sentences that are most similar to the transcript, at most two, most similar first. */
  nearest: z.array(z.string()),
  /** Why `sentence` is `null`: the speaker said something else, or noise covers the words. */
  reason: z.enum(['different', 'noise']).nullish().catch(undefined),
})

/** How a transcript compares with the `sentences` of the request. */
export interface SentenceMatch {
  /** One of the sentences, or `null` if the service did not understand one of them. */
  sentence: string | null
  /** The sentences that are most similar to the transcript, at most two, most similar first. */
  nearest: readonly string[]
  /**
   * Why `sentence` is `null`: the speaker said something else, or noise covers the words. Absent if the two nearest sentences
   * sound too similar to decide between them.
   */
  reason?: 'different' | 'noise'
}

/** A transcript, or in a stream also the transcript so far. */
export const transcriptSchema = looseObject({
  transcript: z.string().nullish(),
  /** In a stream: whether this transcript of the turn is final. A later interim transcript replaces this one. */
  isFinal: z.boolean().nullish(),
  /** BCP-47. */
  language: z.string().nullish(),
  /** 0 to 1. */
  confidence: z.number().nullish(),
  // Malformed times must not lose the transcript.
  wordTimestamps: z.array(wordTimestampSchema).nullish().catch(undefined),
  // A malformed match counts as absent, and the caller compares the sentences itself.
  sentenceMatch: sentenceMatchSchema.nullish().catch(undefined),
})

/** The usage that the service counted. */
export const transcriptionUsageSchema = looseObject({
  /** The length of the audio, in milliseconds. */
  transcribedAudioMs: numberSchema.nullish(),
  modelId: z.string().nullish(),
})

/** The response of `POST /stt/v1/transcribe`. */
export const transcriptionResponseSchema = looseObject({
  transcription: transcriptSchema,
  // Malformed metadata must not lose the transcript.
  usage: transcriptionUsageSchema.nullish().catch(undefined),
})

/** The response of `POST /stt/v1/transcribe`. */
export type TranscriptionResponse = z.infer<typeof transcriptionResponseSchema>

/** A recognition model. Empty, `null` and absent mean the same. */
export const transcriptionModelSchema = looseObject({
  /** The id for a transcription. */
  modelId: z.string().min(1),
  displayName: z.string().nullish(),
  /** The languages that it understands, such as `EN_US`. Empty: many, or unknown. */
  langCodes: z.array(z.string()).nullish(),
  /** Whether a stream has interim results. */
  hasInterimResults: z.boolean().nullish(),
  /** Whether it reports the times of words. */
  timesWords: z.boolean().nullish(),
  /** Whether it chooses between the `sentences` of a request. */
  matchesSentences: z.boolean().nullish(),
})

/** A recognition model. */
export type TranscriptionModel = z.infer<typeof transcriptionModelSchema>

/** The response of `GET /stt/v1/models`, an extension of the local service. */
export const transcriptionModelListSchema = looseObject({
  models: z.array(transcriptionModelSchema).nullish(),
})

/** How to transcribe a stream, and when a turn ends. */
export const transcribeStreamConfigSchema = strictObject({
  ...transcribeConfigSchema.shape,
  /** The service closes the socket after this time without audio, in seconds. Default: the limit of the service. */
  inactivityTimeoutSeconds: z.number().min(1).max(3600).optional(),
  /** The silence that ends a turn when the service is sure that the speaker has finished, in milliseconds. */
  minEndOfTurnSilenceWhenConfident: z.int().min(20).max(5000).optional(),
  /** The silence that always ends a turn, in milliseconds. */
  maxTurnSilence: z.int().min(20).max(5000).optional(),
  /** How certain voice activity detection must be, 0 to 1. 0: only `endTurn` ends a turn. */
  vadThreshold: z.number().min(0).max(1).optional(),
})

/** How to transcribe a stream, and when a turn ends. */
export type TranscribeStreamConfig = z.infer<typeof transcribeStreamConfigSchema>

/** A message of the client on the socket `/stt/v1/transcribe:streamBidirectional`. It has exactly one member. */
export const transcribeStreamMessageSchema = strictObject({
  /** The first message, and only the first. */
  transcribeConfig: transcribeStreamConfigSchema.optional(),
  /** `LINEAR16` without a header. */
  audioChunk: contentSchema.optional(),
  /** Ends the current turn. */
  endTurn: strictObject({}).optional(),
  /** Ends the audio. The service sends the remaining results and closes the socket. */
  closeStream: strictObject({}).optional(),
}).refine(
  (message) => Object.values(message).filter((member) => member !== undefined).length === 1,
  'a message has exactly one of transcribeConfig, audioChunk, endTurn and closeStream',
)

/** A message of the client. */
export type TranscribeStreamMessage = z.infer<typeof transcribeStreamMessageSchema>

/** A result on the socket. It has one of the members, or one that a later version of the service adds. */
export const transcribeStreamResultSchema = looseObject({
  /** The transcript of the turn so far, or the final one. An empty final transcript can occur. */
  transcription: looseObject({
    ...transcriptSchema.shape,
    silenceDurationMs: numberSchema.nullish(),
  }).nullish(),
  /** A turn has begun. */
  speechStarted: looseObject({
    /** From the start of the stream, in milliseconds. */
    startTimeMs: numberSchema.nullish(),
    confidence: z.number().nullish(),
  }).nullish(),
  /** The turn has ended. */
  speechStopped: looseObject({ silenceDurationMs: numberSchema.nullish() }).nullish(),
  /** The last result. */
  usage: transcriptionUsageSchema.nullish(),
})

/** A result on the socket. */
export type TranscribeStreamResult = z.infer<typeof transcribeStreamResultSchema>

/** A message of the service on the socket: a result, or the error that ends the stream. */
export const transcribeStreamResponseSchema = looseObject({
  result: transcribeStreamResultSchema.nullish(),
  error: problemSchema.shape.error,
})
