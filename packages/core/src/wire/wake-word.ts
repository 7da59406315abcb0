import { z } from 'zod'
import { looseObject, numberSchema, strictObject } from './object-schema.ts'
import { problemSchema } from './problem.ts'

/** The limits of `phrases`. */
export const wakeWordLimits = { maxPhrases: 10, maxCharacters: 100 } as const

/** Which wake words to find. */
export const wakeWordConfigSchema = strictObject({
  /** A model of `GET /stt/v1/wakeWordModels`. Default: the first one that finds all phrases. */
  modelId: z.string().min(1, 'must not be empty').optional(),
  /** Default: those of the model, if it has phrases of its own. */
  phrases: z
    .array(
      z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(
          wakeWordLimits.maxCharacters,
          `has at most ${wakeWordLimits.maxCharacters} characters`,
        ),
    )
    .max(wakeWordLimits.maxPhrases, `has at most ${wakeWordLimits.maxPhrases} phrases`)
    .optional(),
  /** 0 to 1: a higher value misses fewer wake words, and finds more that nobody said. Default 0.5. */
  sensitivity: z.number().min(0).max(1).optional(),
  /** The service closes the socket after this time without audio, in seconds. Default 600. */
  inactivityTimeoutSeconds: z.number().min(1).max(3600).optional(),
})

/** Which wake words to find. */
export type WakeWordConfig = z.infer<typeof wakeWordConfigSchema>

/** A message of the client on the socket `/stt/v1/wakeWords:streamBidirectional`. It has exactly one member. */
export const wakeWordMessageSchema = strictObject({
  /** The first message, and only the first. */
  wakeWordConfig: wakeWordConfigSchema.optional(),
  /** `LINEAR16` without a header: 16 kHz, mono, in base64. */
  audioChunk: strictObject({ content: z.string() }).optional(),
  /** Ends the audio. The service sends the remaining results and closes the socket. */
  closeStream: strictObject({}).optional(),
}).refine(
  (message) => Object.values(message).filter((member) => member !== undefined).length === 1,
  'a message has exactly one of wakeWordConfig, audioChunk and closeStream',
)

/** A message of the client. */
export type WakeWordMessage = z.infer<typeof wakeWordMessageSchema>

/** A result on the socket. It has one of the members, or one that a later version of the service adds. */
export const wakeWordResultSchema = looseObject({
  /** The first result: the service now waits for these phrases. */
  waiting: looseObject({
    modelId: z.string(),
    phrases: z.array(z.string()),
    /** Whether the model misses more wake words, and finds more that nobody said, than people accept in daily use. */
    isRough: z.boolean().nullish(),
  }).nullish(),
  /** Somebody has said a wake word. */
  detection: looseObject({
    phrase: z.string(),
    /** 0 to 1: how similar the sound was. Absent if the detector does not report it. */
    score: z.number().nullish(),
    /** Where the phrase ends, from the start of the stream, in milliseconds. */
    endTimeMs: numberSchema,
    /** `false`: another stream of the service has found the same phrase up to a second earlier, so its microphone responds. */
    isFirst: z.boolean().nullish(),
  }).nullish(),
})

/** A result on the socket. */
export type WakeWordResult = z.infer<typeof wakeWordResultSchema>

/** A message of the service on the socket: a result, or the error that ends the stream. */
export const wakeWordResponseSchema = looseObject({
  result: wakeWordResultSchema.nullish(),
  error: problemSchema.shape.error,
})

/** A model that finds wake words. Empty, `null` and absent mean the same. */
export const wakeWordModelSchema = looseObject({
  /** The id for a stream. */
  modelId: z.string().min(1),
  displayName: z.string().nullish(),
  /** Its languages, such as `EN_US`. Empty: many, or unknown. */
  langCodes: z.array(z.string()).nullish(),
  /** The only phrases that it finds. Absent: any phrase in its languages. */
  phrases: z.array(z.string()).nullish(),
  /** Whether it misses more wake words, and finds more that nobody said, than people accept in daily use. */
  isRough: z.boolean().nullish(),
})

/** A model that finds wake words. */
export type WakeWordModel = z.infer<typeof wakeWordModelSchema>

/** The response of `GET /stt/v1/wakeWordModels`, an extension of the local service. */
export const wakeWordModelListSchema = looseObject({
  models: z.array(wakeWordModelSchema).nullish(),
})
