import { z } from 'zod'
import { looseObject, strictObject } from './object-schema.ts'

/** Response formats of `POST /v1/audio/transcriptions`. */
export const transcriptionFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const

/** One of the formats of the OpenAI API. */
export type TranscriptionFormat = (typeof transcriptionFormats)[number]

/** The fields of the form of `POST /v1/audio/transcriptions`, except `file`. The service reads the values from text. */
export const openAiTranscriptionRequestSchema = strictObject({
  /** A recognition model of this service. */
  model: z.string().min(1, 'must not be empty'),
  /** ISO 639-1 or BCP-47, such as `en`. Default: detected, or the language of the model. */
  language: z.string().optional(),
  /** Words and names that the speaker may use, as a hint for the model. */
  prompt: z.string().optional(),
  /** Default `json`. */
  response_format: z.enum(transcriptionFormats).optional(),
  /** 0 to 1. Models without randomness ignore it. */
  temperature: z.number().min(0).max(1).optional(),
  /** The times that a `verbose_json` response has. The form repeats the field. Default: segments. */
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).optional(),
  /** Sends the text as events while it is recognised. Default false. */
  stream: z.boolean().optional(),
})

/** The fields of the form, except `file`. */
export type OpenAiTranscriptionRequest = z.infer<typeof openAiTranscriptionRequestSchema>

const openAiTranscriptionUsageSchema = looseObject({
  /** `duration`, or `tokens` from some services. */
  type: z.string().nullish(),
  /** The length of the audio, in seconds. */
  seconds: z.number().nullish(),
})

/** The response in the formats `json` and `verbose_json`. All times are in seconds. */
export const openAiTranscriptionSchema = looseObject({
  text: z.string(),
  usage: openAiTranscriptionUsageSchema.nullish().catch(undefined),
  /** Only in `verbose_json`, as are the following members. `english`, for example. */
  language: z.string().nullish(),
  /** Some services send text. */
  duration: z.union([z.number(), z.string()]).nullish(),
  segments: z
    .array(
      looseObject({
        id: z.number().nullish(),
        start: z.number(),
        end: z.number(),
        text: z.string(),
      }),
    )
    .nullish()
    .catch(undefined),
  words: z
    .array(looseObject({ word: z.string(), start: z.number(), end: z.number() }))
    .nullish()
    .catch(undefined),
})

/** The response in the formats `json` and `verbose_json`. */
export type OpenAiTranscription = z.infer<typeof openAiTranscriptionSchema>
