import { z } from 'zod'
import { audioConfigSchema } from './audio-config.ts'

/** The synthesis models of the service: two for quality, then one for low latency. */
export const speechModelIds = ['svc-tts-2', 'svc-tts-1.5-max', 'svc-tts-2-flash'] as const

/** One of `speechModelIds`. */
export type SpeechModelId = (typeof speechModelIds)[number]

/** What to speak: the body of `POST /tts/v1/voice` and `POST /tts/v1/voice:stream`. */
export const speechRequestSchema = z.strictObject({
  /** What to say, in characters (UTF-16 code units); the service takes 2,000 at a time. */
  text: z.string().refine((text) => text.trim() !== '', 'there is no text to speak'),
  /** A voice that `listVoices` gives or that was cloned; upper and lower case matter. */
  voiceId: z.string().min(1, 'no voice is chosen'),
  modelId: z.string().min(1, 'no model is chosen'),
  audioConfig: audioConfigSchema.optional(),
  /** BCP-47, such as `en-US`. Default: found from the text. */
  language: z.string().optional(),
  /** `svc-tts-2` alone. */
  deliveryMode: z.enum(['DELIVERY_MODE_UNSPECIFIED', 'STABLE', 'BALANCED', 'CREATIVE']).optional(),
  /** A note on style in plain English; `svc-tts-2` alone. */
  instruction: z.string().optional(),
  /** Above 0 up to 2; 0 means the default, 1. `svc-tts-2` ignores it. */
  temperature: z.number().min(0).max(2).optional(),
  /** Ask for the times of words or characters; adds to the wait. */
  timestampType: z.enum(['TIMESTAMP_TYPE_UNSPECIFIED', 'WORD', 'CHARACTER']).optional(),
  /** Streams alone: times with their audio (`SYNC`, the default) or after it (`ASYNC`). */
  timestampTransportStrategy: z
    .enum(['TIMESTAMP_TRANSPORT_STRATEGY_UNSPECIFIED', 'SYNC', 'ASYNC'])
    .optional(),
  applyTextNormalization: z.enum(['APPLY_TEXT_NORMALIZATION_UNSPECIFIED', 'ON', 'OFF']).optional(),
  enhanceGeneration: z.boolean().optional(),
  /** Earlier text, so that this one continues it; 2,000 characters together. */
  synthesisContext: z
    .strictObject({ previousRequests: z.array(z.strictObject({ text: z.string() })) })
    .optional(),
})

/** What to speak, with which voice and how. */
export type SpeechRequest = z.infer<typeof speechRequestSchema>

/** How much the service counted. */
export const usageSchema = z.looseObject({
  processedCharactersCount: z.number().nullish(),
  modelId: z.string().nullish(),
})

const secondsSchema = z.array(z.number()).nullish()

/** When what sounds, in seconds from the start of the utterance. */
export const timestampInfoSchema = z.looseObject({
  wordAlignment: z
    .looseObject({
      words: z.array(z.string()).nullish(),
      wordStartTimeSeconds: secondsSchema,
      wordEndTimeSeconds: secondsSchema,
    })
    .nullish(),
  characterAlignment: z
    .looseObject({
      characters: z.array(z.string()).nullish(),
      characterStartTimeSeconds: secondsSchema,
      characterEndTimeSeconds: secondsSchema,
    })
    .nullish(),
})

/** A whole answer, and the `result` of a stream's line. */
export const speechResultSchema = z.looseObject({
  /** Base64. */
  audioContent: z.string().nullish(),
  // Odd facts about a sound are no reason to lose it.
  usage: usageSchema.nullish().catch(undefined),
  timestampInfo: timestampInfoSchema.nullish().catch(undefined),
})

/** What comes of it, with the audio in base64. */
export type SpeechResult = z.infer<typeof speechResultSchema>
