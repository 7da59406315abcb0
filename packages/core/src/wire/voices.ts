import { z } from 'zod'
import { looseObject, numberSchema, strictObject } from './object-schema.ts'

const textSchema = z.string().nullish()
const textsSchema = z.array(z.string()).nullish()

/** A voice. Empty, `null` and absent mean the same. */
export const voiceSchema = looseObject({
  voiceId: z.string().min(1),
  displayName: textSchema,
  description: textSchema,
  /** Such as `EN_US`. */
  langCode: textSchema,
  tags: textsSchema,
  categories: textsSchema,
  /** `SYSTEM` for library voices, `IVC` for instant clones, `PVC` for professional ones. */
  source: textSchema,
  gender: textSchema,
  ageGroup: textSchema,
  /** The languages of a voice that speaks several, whose `langCode` is then `AUTO`. */
  promptLanguages: textsSchema,
  /** Whether the service keeps a recording of the person. Only the local service reports it, for clones. */
  keepsRecording: z.boolean().nullish(),
  /** The memory that the model of the voice takes on its machine. Only the local service reports it, for models. */
  memoryBytes: z.number().nullish(),
  /** Seconds that the voice takes for a second of speech. Only the local service reports it, for models. */
  realTimeFactor: z.number().nullish(),
  /** Why the voice cannot speak at the moment: a sentence of the local service about the server of the voice. */
  unavailableReason: textSchema,
  /** Why the voice is not the default one of its language on this machine. Only the local service reports it. */
  notDefaultReason: textSchema,
})

/** A voice. Empty, `null` and absent mean the same. */
export type Voice = z.infer<typeof voiceSchema>

/** The id of a voice. Case-sensitive and opaque; URL-encoded in paths. */
export const voiceIdSchema = z
  .string()
  .min(1, 'must not be empty')
  // Trap: `.` and `..` change the path, and a lone surrogate cannot be URL-encoded.
  .refine((id) => !/^\.\.?$|\p{Surrogate}/u.test(id), 'is not a valid voice id')

/** A language code of voices, such as `EN_US` or `ES_419`; an open set. `AUTO` lets the service detect it. */
export const langCodeSchema = z
  .string()
  .regex(/^(AUTO|[A-Z]{2,3}(_[A-Z0-9]{2,8})+)$/, 'must be a code such as EN_US, or AUTO')

const displayNameSchema = z.string().refine((name) => name.trim() !== '', 'must not be empty')

/** The descriptive fields of a voice. */
const voiceTextsSchema = strictObject({
  displayName: displayNameSchema.optional(),
  /** An empty string removes the description. */
  description: z.string().optional(),
  /** Replaces all existing tags. */
  tags: z.array(z.string().min(1, 'must not be empty')).optional(),
})

/** The query of `GET /voices/v1/voices`. */
export const voiceListRequestSchema = strictObject({
  /** One or more codes such as `EN_US`. Default: all languages. */
  languages: z.union([z.string().min(1), z.array(z.string().min(1))]).optional(),
  /** Voices per page. Default: all voices in one page. */
  pageSize: z.int().min(1).max(2000).optional(),
  /** `nextPageToken` of the previous page. */
  pageToken: z.string().optional(),
  /** Such as `display_name asc`. */
  orderBy: z.string().optional(),
  /** Such as `source = "SYSTEM" AND lang_code = "en"`. */
  filter: z.string().optional(),
})

/** Filters, order and paging of a list of voices. */
export type VoiceListRequest = z.infer<typeof voiceListRequestSchema>

/** The response of `GET /voices/v1/voices`. */
export const voiceListSchema = looseObject({
  voices: z.array(voiceSchema).nullish(),
  nextPageToken: textSchema,
  totalSize: numberSchema.nullish(),
  /** Why voices are missing, or cannot speak, at the moment: sentences of the local service about other servers. */
  problems: textsSchema,
})

const changeNeeded = 'at least one of displayName, description and tags is required'

function hasChange({ displayName, description, tags }: z.infer<typeof voiceTextsSchema>): boolean {
  return [displayName, description, tags].some((value) => value !== undefined)
}

/** The body of `PATCH /voices/v1/voices/{voiceId}`. Absent fields stay unchanged. */
export const voiceUpdateSchema = voiceTextsSchema.refine(hasChange, changeNeeded)

/** The changes to a voice. */
export type VoiceUpdate = z.infer<typeof voiceUpdateSchema>

/** The id for the path and the body of `PATCH /voices/v1/voices/{voiceId}`. */
export const voiceUpdateRequestSchema = strictObject({
  ...voiceTextsSchema.shape,
  voiceId: voiceIdSchema,
}).refine(hasChange, changeNeeded)

/** The id for the path and the body of `POST /voices/v1/voices/{voiceId}:publish`. */
export const voicePublicationRequestSchema = strictObject({
  ...voiceTextsSchema.shape,
  voiceId: voiceIdSchema,
})

/** The language of a new voice, which has one of these fields. */
const newLanguageShape = {
  langCode: langCodeSchema.optional(),
  /** BCP-47, such as `en-US`; an alternative to `langCode`. */
  languageCode: z.string().min(1).optional(),
}
const noLanguage = 'langCode is missing: a code such as EN_US is required'

/** The body of `POST /voices/v1/voices:clone`. */
export const voiceCloneBodySchema = strictObject({
  displayName: displayNameSchema,
  ...newLanguageShape,
  voiceSamples: z
    .array(
      strictObject({
        /** A WAV, MP3 or WEBM file in base64. */
        audioData: z.string().min(1),
        /** The words spoken in the recording. */
        transcription: z.string().optional(),
      }),
    )
    .min(1),
  audioProcessingConfig: strictObject({ removeBackgroundNoise: z.boolean().optional() }).optional(),
  /** Only for the local service: keeps up to 10 s of the recordings, to speak like them. Default false. */
  keepRecording: z.boolean().optional(),
  description: voiceTextsSchema.shape.description,
  tags: voiceTextsSchema.shape.tags,
}).refine(({ langCode, languageCode }) => langCode ?? languageCode, noLanguage)

/** The request to clone a voice, with recordings in base64. */
export type VoiceCloneBody = z.infer<typeof voiceCloneBodySchema>

const remarksSchema = z.array(looseObject({ code: textSchema, text: textSchema })).nullish()

/** The response of `:clone`. The service can create the voice even if a sample has errors. */
export const voiceCloneResponseSchema = looseObject({
  voice: voiceSchema,
  /** The results, in the order of the samples. */
  audioSamplesValidated: z
    .array(
      looseObject({
        langCode: textSchema,
        transcription: textSchema,
        warnings: remarksSchema,
        errors: remarksSchema,
        /** The service may return the whole sample. */
        audioData: textSchema,
      }),
    )
    .nullish()
    // The voice already exists: malformed remarks must not lose its id.
    .catch(undefined),
})

/** The body of `POST /voices/v1/voices:design`. */
export const voiceDesignRequestSchema = strictObject({
  ...newLanguageShape,
  /** A description of the voice, from 30 characters. The service may reject more than 250. */
  designPrompt: z.string().min(30).max(1000),
  /** The text of the previews. It should take 1 to 15 s to speak. */
  previewText: z.string().min(1).optional(),
  voiceDesignConfig: strictObject({
    /** Number of voices to choose from. Default 1. */
    numberOfSamples: z.int().min(1).max(3).optional(),
  }).optional(),
}).refine(({ langCode, languageCode }) => langCode ?? languageCode, noLanguage)

/** The request to design voices. */
export type VoiceDesignRequest = z.infer<typeof voiceDesignRequestSchema>

/** The response of `:design`. */
export const voiceDesignResponseSchema = looseObject({
  langCode: textSchema,
  previewVoices: z
    .array(
      looseObject({
        voiceId: z.string().min(1),
        previewText: textSchema,
        /** A WAV file in base64. */
        previewAudio: textSchema,
      }),
    )
    .nullish(),
})

/** The query of `GET /tts/v1/voice:preview`, where the names are `voice_id` and `model_id`. */
export const voicePreviewRequestSchema = strictObject({
  voiceId: voiceIdSchema,
  modelId: z.string().min(1, 'must not be empty'),
})

/** The voice of a preview. */
export type VoicePreviewRequest = z.infer<typeof voicePreviewRequestSchema>

/** The response of `GET /tts/v1/voice:preview`. */
export const voicePreviewSchema = looseObject({
  /** Base64 of an MP3 file, according to the documentation. */
  audioContent: textSchema,
})

/**
 * A clone as a file, which a local service has written and another one reads: its texts, the measures of the voice, and the recording if
 * the service keeps one. Only local services know what the measures mean.
 */
export const voiceFileSchema = looseObject({
  /** The version of the format. */
  parlandoVoice: z.int(),
  voice: looseObject({ displayName: displayNameSchema, langCode: langCodeSchema }),
})

/** A clone as a file. */
export type VoiceFile = z.infer<typeof voiceFileSchema>
