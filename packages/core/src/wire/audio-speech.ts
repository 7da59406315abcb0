import { z } from 'zod'
import { strictObject } from './object-schema.ts'

/** Response formats of `POST /v1/audio/speech`. Every service supports `mp3`; the OpenAI API defines the others too. */
export const speechFormats = ['mp3', 'wav', 'pcm', 'opus', 'aac', 'flac'] as const

/** One of the formats of the OpenAI API. */
export type SpeechFormat = (typeof speechFormats)[number]

/** A text to speak, in the format of the OpenAI API. */
export const openAiSpeechRequestSchema = strictObject({
  /** A synthesis model of this service, not of OpenAI. */
  model: z.string().min(1, 'must not be empty'),
  /** The text to speak. The service accepts 4,000 characters (UTF-16 code units). */
  input: z.string().refine((text) => text.trim() !== '', 'must contain text to speak'),
  /** The id of a voice from `listVoices` or of a clone. */
  voice: z.string().min(1, 'must not be empty'),
  /** In any letter case. Default `mp3`. */
  response_format: z
    .preprocess(
      (format) => (typeof format === 'string' ? format.toLowerCase() : format),
      z.enum(speechFormats),
    )
    .optional(),
  /** Speed factor from 0.5 to 1.5. Default 1. */
  speed: z.number().min(0.5).max(1.5).optional(),
  /** The style, described in plain English. */
  instructions: z.string().optional(),
})

/** A text to speak, in the format of the OpenAI API. */
export type OpenAiSpeechRequest = z.infer<typeof openAiSpeechRequestSchema>
