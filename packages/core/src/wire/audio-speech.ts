import { z } from 'zod'

/** What `POST /v1/audio/speech` can answer with. `mp3` is certain, the others are what the OpenAI API has. */
export const speechFormats = ['mp3', 'wav', 'pcm', 'opus', 'aac', 'flac'] as const

/** One of the formats of the OpenAI API. */
export type SpeechFormat = (typeof speechFormats)[number]

/** What to speak, in the form and with the names of the OpenAI API. */
export const speechBytesRequestSchema = z.strictObject({
  /** A synthesis model of this service, not of OpenAI. */
  model: z.string().min(1, 'no model is chosen'),
  /** What to say; the service takes 4,000 characters (UTF-16 code units) at a time. */
  input: z.string().refine((text) => text.trim() !== '', 'there is no text to speak'),
  /** A voice that `listVoices` gives or that was cloned. */
  voice: z.string().min(1, 'no voice is chosen'),
  /** Default `mp3`. */
  response_format: z.enum(speechFormats).optional(),
  /** 1 is natural, 0.5 half as fast, 1.5 the fastest. Default 1. */
  speed: z.number().min(0.5).max(1.5).optional(),
  /** A note on style in plain English. */
  instructions: z.string().optional(),
})

/** What to speak, by the names of the OpenAI API. */
export type SpeechBytesRequest = z.infer<typeof speechBytesRequestSchema>
