import { z } from 'zod'
import { audioConfigSchema } from './audio-config.ts'
import { looseObject, numberSchema, strictObject } from './object-schema.ts'

/** The synthesis models of the service: two for quality, then two for low latency. */
export const speechModelIds = [
  'svc-tts-2',
  'svc-tts-1.5-max',
  'svc-tts-2-flash',
  'svc-tts-1.5-mini',
] as const

/** One of `speechModelIds`. */
export type SpeechModelId = (typeof speechModelIds)[number]

/** The model of a request that names none. Only clients and the local service have a default; hosted services require a model. */
export const defaultSpeechModelId: SpeechModelId = 'svc-tts-2'

/** The body of `POST /tts/v1/voice` and `POST /tts/v1/voice:stream`. */
export const speechRequestSchema = strictObject({
  /**
   * The text to speak. A hosted service accepts 2,000 characters (UTF-16 code units), the local service 4,000, and 100,000 as a
   * stream.
   */
  text: z.string().refine((text) => text.trim() !== '', 'must contain text to speak'),
  /** The id of a voice from `listVoices` or of a clone. Case-sensitive. */
  voiceId: z.string().min(1, 'must not be empty'),
  modelId: z.string().min(1, 'must not be empty'),
  audioConfig: audioConfigSchema.optional(),
  /** BCP-47, such as `en-US`. Default: detected from the text. */
  language: z.string().optional(),
  /** Only for `svc-tts-2`. `EXPRESSIVE` is an old name of `CREATIVE`. */
  deliveryMode: z
    .enum(['DELIVERY_MODE_UNSPECIFIED', 'STABLE', 'BALANCED', 'CREATIVE', 'EXPRESSIVE'])
    .optional(),
  /** The style, described in plain English. Only for `svc-tts-2`. */
  instruction: z.string().optional(),
  /** Above 0 and up to 2. 0 means the default, 1. `svc-tts-2` ignores it. */
  temperature: z.number().min(0).max(2).optional(),
  /** Requests the times of words or characters. Increases latency. */
  timestampType: z.enum(['TIMESTAMP_TYPE_UNSPECIFIED', 'WORD', 'CHARACTER']).optional(),
  /** Only for streams: sends times with their audio (`SYNC`, the default) or after it (`ASYNC`). */
  timestampTransportStrategy: z
    .enum(['TIMESTAMP_TRANSPORT_STRATEGY_UNSPECIFIED', 'SYNC', 'ASYNC'])
    .optional(),
  applyTextNormalization: z.enum(['APPLY_TEXT_NORMALIZATION_UNSPECIFIED', 'ON', 'OFF']).optional(),
  enhanceGeneration: z.boolean().optional(),
  /** Applies the list of pronunciations that a hosted service keeps for the workspace of the key. Only for `svc-tts-2`. */
  enableCustomPronunciation: z.boolean().optional(),
  /**
   * Applies up to three lists of pronunciations that a hosted service keeps, instead of that of the workspace; the first one
   * that contains a word. The request needs a `language`. Only for `svc-tts-2`.
   */
  pronunciationDictionarySettings: strictObject({
    dictionaries: z
      .array(
        strictObject({
          /** `workspaces/{workspace}/pronunciationDictionaries/{id}` */
          dictionary: z.string().min(1),
        }),
      )
      .min(1)
      .max(3),
  }).optional(),
  /** Earlier text that this text continues. Together at most 2,000 characters. */
  synthesisContext: strictObject({
    previousRequests: z.array(strictObject({ text: z.string() })),
  }).optional(),
})

/** A text to speak, with the voice and the settings. */
export type SpeechRequest = z.infer<typeof speechRequestSchema>

/** The usage that the service counted. */
export const usageSchema = looseObject({
  processedCharactersCount: numberSchema.nullish(),
  modelId: z.string().nullish(),
})

const secondsSchema = z.array(z.number()).nullish()

/** The phones of one word. */
const phoneticDetailSchema = looseObject({
  /** The place of the word in `words`. */
  wordIndex: numberSchema.nullish(),
  phones: z
    .array(
      looseObject({
        /** IPA, such as `ʃ`. Some models add a stress digit or mark. */
        phoneSymbol: z.string().nullish(),
        startTimeSeconds: z.number().nullish(),
        durationSeconds: z.number().nullish(),
        /** The shape of the mouth: `aei`, `o`, `ee`, `bmp`, `fv`, `l`, `r`, `th`, `qw`, `chjsh` or `cdgknstxyz`. */
        visemeSymbol: z.string().nullish(),
      }),
    )
    .nullish(),
})

/** Times of words or characters, in seconds from the start of the utterance. */
export const timestampInfoSchema = looseObject({
  wordAlignment: looseObject({
    words: z.array(z.string()).nullish(),
    wordStartTimeSeconds: secondsSchema,
    wordEndTimeSeconds: secondsSchema,
    // Malformed phones must not lose the times of the words.
    phoneticDetails: z.array(phoneticDetailSchema).nullish().catch(undefined),
  }).nullish(),
  characterAlignment: looseObject({
    characters: z.array(z.string()).nullish(),
    characterStartTimeSeconds: secondsSchema,
    characterEndTimeSeconds: secondsSchema,
  }).nullish(),
})

const speechWarningSchema = looseObject({
  /** `skipped-characters`, `other-language` or `no-word-times`. */
  code: z.string(),
  /** A sentence in English. */
  message: z.string(),
  /** The characters that the voice skips, at most ten. */
  characters: z.string().optional(),
  /** The language of the text, such as `de`. */
  language: z.string().optional(),
})

/** All warnings about one text. */
export const speechWarningsSchema = z.array(speechWarningSchema)

/** What a voice does not speak as the caller expects, although it speaks the text. */
export type SpeechWarning = z.infer<typeof speechWarningSchema>

/** The header of a response with warnings: a JSON array in ASCII. */
export const speechWarningsHeader = 'x-parlando-warnings'

/** The whole response, and the `result` of a line of a stream. */
export const speechResultSchema = looseObject({
  /** Base64. */
  audioContent: z.string().nullish(),
  // Malformed metadata must not lose the audio.
  usage: usageSchema.nullish().catch(undefined),
  timestampInfo: timestampInfoSchema.nullish().catch(undefined),
  /** Only on a socket, with the first audio of a text. */
  warnings: speechWarningsSchema.nullish().catch(undefined),
})

/** The result, with the audio in base64. */
export type SpeechResponse = z.infer<typeof speechResultSchema>
