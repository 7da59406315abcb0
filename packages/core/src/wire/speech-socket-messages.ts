import { z } from 'zod'
import { audioConfigSchema } from './audio-config.ts'
import { looseObject, strictObject } from './object-schema.ts'
import { problemSchema } from './problem.ts'
import { type SpeechRequest, speechRequestSchema, speechResultSchema } from './speech.ts'

/** The limits of the socket `/tts/v1/voice:streamBidirectional`. */
export const speechSocketLimits = {
  /** Contexts of one connection. */
  maxContexts: 5,
  /** UTF-16 code units of one `sendText`. */
  maxTextCharacters: 2000,
  maxBufferCharThreshold: 2000,
  maxContextIdCharacters: 128,
} as const

/** The default of the service: the buffered characters that start a synthesis. */
export const defaultBufferCharThreshold = 1000

const {
  text: _text,
  instruction: _instruction,
  enhanceGeneration: _enhance,
  synthesisContext: _context,
  ...speechSettings
} = speechRequestSchema.shape

const contextOptionsSchema = strictObject({
  /** As for other requests, but not `FLAC`. */
  audioConfig: audioConfigSchema
    .refine(
      ({ audioEncoding }) => audioEncoding !== 'FLAC',
      'a socket cannot send FLAC; use another audioEncoding',
    )
    .optional(),
  /** The service speaks the waiting text when it has this many characters. Default 1000. */
  bufferCharThreshold: z.int().min(1).max(speechSocketLimits.maxBufferCharThreshold).optional(),
  /**
   * The service speaks the waiting text this long after the last text, in milliseconds. Default 0: it waits for more text
   * or for `flushContext`.
   */
  maxBufferDelayMs: z.int().min(0).max(600_000).optional(),
  /** The service does not wait for `bufferCharThreshold`: `autoModeStrategy` says when it speaks. Default false. */
  autoMode: z.boolean().optional(),
  /**
   * `CLIENT_SEGMENTED`, the default: each text is a whole sentence and is spoken at once. `SENTENCE_BOUNDARY`: the service
   * finds the sentences; not for the models of `svc-tts-1.5`.
   */
  autoModeStrategy: z.enum(['CLIENT_SEGMENTED', 'SENTENCE_BOUNDARY']).optional(),
})

/** How a context speaks, and when it speaks the text that it has received. */
export const speechContextSchema = strictObject({
  ...speechSettings,
  ...contextOptionsSchema.shape,
})

/**
 * How a context speaks, and when it speaks the text that it has received. Not inferred from the schema as a whole, since the
 * declarations would lose the comments of the settings.
 */
export type SpeechContextSettings = Omit<
  SpeechRequest,
  'text' | 'instruction' | 'enhanceGeneration' | 'synthesisContext'
> &
  z.infer<typeof contextOptionsSchema>

/** A message of the client: the context and exactly one verb. */
export const speechSocketMessageSchema = strictObject({
  /** Chosen by the client. Needed as soon as there is more than one context. */
  contextId: z.string().max(speechSocketLimits.maxContextIdCharacters).optional(),
  create: speechContextSchema.optional(),
  sendText: strictObject({
    text: z.string().max(speechSocketLimits.maxTextCharacters),
    /** Flushes after this text. */
    flushContext: strictObject({}).optional(),
  }).optional(),
  /** Speaks the waiting text. */
  flushContext: strictObject({}).optional(),
  /** Flushes, then ends the context. */
  closeContext: strictObject({}).optional(),
}).refine(
  ({ create, sendText, flushContext, closeContext }) =>
    [create, sendText, flushContext, closeContext].filter((verb) => verb !== undefined).length ===
    1,
  'a message has exactly one of create, sendText, flushContext and closeContext',
)

/** A message of the client. */
export type SpeechSocketMessage = z.infer<typeof speechSocketMessageSchema>

/** A message of the service: a result of one context, or the error that ends the connection. */
export const speechSocketResponseSchema = looseObject({
  result: looseObject({
    contextId: z.string().nullish(),
    contextCreated: looseObject({}).nullish(),
    audioChunk: speechResultSchema.nullish(),
    /** A synthesis is complete. Its times counted from 0, and so will those of the next one. */
    flushCompleted: looseObject({}).nullish(),
    /** The last message of the context. */
    contextClosed: looseObject({}).nullish(),
    /** Code 0, or the error that ends the context. */
    status: problemSchema.nullish(),
  }).nullish(),
  error: problemSchema.shape.error,
})
