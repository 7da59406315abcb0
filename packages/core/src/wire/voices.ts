import { z } from 'zod'

const textSchema = z.string().nullish()
const textsSchema = z.array(z.string()).nullish()

/** An identity to speak with. Empty, `null` and absent mean the same. */
export const voiceSchema = z.looseObject({
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
  promptLanguages: textsSchema,
})

/** An identity to speak with. Empty, `null` and absent mean the same. */
export type Voice = z.infer<typeof voiceSchema>

/** Which voice; upper and lower case matter. Never taken apart: it stands in paths URL-encoded. */
export const voiceIdSchema = z
  .string()
  .min(1, 'no voice is chosen')
  // Trap: a path that ends in dots is another path, and half a surrogate pair cannot be encoded.
  .refine((id) => !/^\.\.?$|\p{Surrogate}/u.test(id), 'this is no id of a voice')

/** A language as voices name it: `EN_US`, `ES_419`; an open set. `AUTO` where the service finds it out. */
export const langCodeSchema = z
  .string()
  .regex(/^(AUTO|[A-Z]{2,3}(_[A-Z0-9]{2,8})+)$/, 'a code such as EN_US, or AUTO, is needed')

const displayNameSchema = z.string().refine((name) => name.trim() !== '', 'there is no name')

/** What a person may say about a voice. */
const voiceTextsSchema = z.strictObject({
  displayName: displayNameSchema.optional(),
  /** An empty one takes away what was there. */
  description: z.string().optional(),
  /** All of them: they replace those that were there. */
  tags: z.array(z.string().min(1, 'a tag is empty')).optional(),
})

/** The query of `GET /voices/v1/voices`. */
export const voiceListRequestSchema = z.strictObject({
  /** One code of the form `EN_US`, or several. Default: all languages. */
  languages: z.union([z.string().min(1), z.array(z.string().min(1))]).optional(),
  /** Voices per page. Default: all at once. */
  pageSize: z.int().min(1).max(2000).optional(),
  /** `nextPageToken` of the page before. */
  pageToken: z.string().optional(),
  /** Such as `display_name asc`. */
  orderBy: z.string().optional(),
  /** Such as `source = "SYSTEM" AND lang_code = "en"`. */
  filter: z.string().optional(),
})

/** What narrows a list of voices, or asks for it in pages. */
export type VoiceListRequest = z.infer<typeof voiceListRequestSchema>

/** The answer of `GET /voices/v1/voices`. */
export const voiceListSchema = z.looseObject({
  voices: z.array(voiceSchema).nullish(),
  nextPageToken: textSchema,
  totalSize: z.number().nullish(),
})

/** The body of `PATCH /voices/v1/voices/{voiceId}`: what it names changes. */
export const voiceUpdateSchema = voiceTextsSchema.refine(
  (update) => Object.values(update).some((value) => value !== undefined),
  'there is nothing to change: give displayName, description or tags',
)

/** What to change of a voice. */
export type VoiceUpdate = z.infer<typeof voiceUpdateSchema>

/** The body of `POST /voices/v1/voices/{voiceId}:publish`: a designed voice becomes one that stays. */
export const voicePublicationSchema = voiceTextsSchema

/** What to say about a voice that is kept. */
export type VoicePublication = z.infer<typeof voicePublicationSchema>

/** The body of `POST /voices/v1/voices:clone`. */
export const voiceCloneBodySchema = z.strictObject({
  displayName: displayNameSchema,
  langCode: langCodeSchema,
  voiceSamples: z
    .array(
      z.strictObject({
        /** A WAV, MP3 or WEBM file in base64. */
        audioData: z.string().min(1),
        /** What is said in it. */
        transcription: z.string().optional(),
      }),
    )
    .min(1),
  audioProcessingConfig: z
    .strictObject({ removeBackgroundNoise: z.boolean().optional() })
    .optional(),
  description: voiceTextsSchema.shape.description,
  tags: voiceTextsSchema.shape.tags,
})

/** What to clone a voice from, with recordings in base64. */
export type VoiceCloneBody = z.infer<typeof voiceCloneBodySchema>

const remarksSchema = z.array(z.looseObject({ code: textSchema, text: textSchema })).nullish()

/** The answer of `:clone`. A sample can have errors although the voice was made. */
export const voiceCloneResponseSchema = z.looseObject({
  voice: voiceSchema,
  /** In the order of the samples. */
  audioSamplesValidated: z
    .array(
      z.looseObject({
        langCode: textSchema,
        transcription: textSchema,
        warnings: remarksSchema,
        errors: remarksSchema,
        /** May be the whole sample again. */
        audioData: textSchema,
      }),
    )
    .nullish()
    // The voice exists already: remarks that cannot be read are no reason to lose its id.
    .catch(undefined),
})

/** The body of `POST /voices/v1/voices:design`. */
export const voiceDesignRequestSchema = z
  .strictObject({
    langCode: langCodeSchema.optional(),
    /** BCP-47, such as `en-US`; in the place of `langCode`. */
    languageCode: z.string().min(1).optional(),
    /** What the voice is like, in 30 characters or more; above 250 the service may refuse it. */
    designPrompt: z.string().min(30).max(1000),
    /** What the previews say; it should take 1-15 s to speak. */
    previewText: z.string().min(1).optional(),
    voiceDesignConfig: z
      .strictObject({
        /** How many voices to choose from. Default 1. */
        numberOfSamples: z.int().min(1).max(3).optional(),
      })
      .optional(),
  })
  .refine(
    ({ langCode, languageCode }) => langCode ?? languageCode,
    'langCode, such as EN_US, is needed',
  )

/** The description to make voices from. */
export type VoiceDesignRequest = z.infer<typeof voiceDesignRequestSchema>

/** The answer of `:design`. */
export const voiceDesignResponseSchema = z.looseObject({
  langCode: textSchema,
  previewVoices: z
    .array(
      z.looseObject({
        voiceId: z.string().min(1),
        previewText: textSchema,
        /** A WAV file in base64. */
        previewAudio: textSchema,
      }),
    )
    .nullish(),
})

/** What `GET /tts/v1/voice:preview` is asked for; its query says `voice_id` and `model_id`. */
export const voicePreviewRequestSchema = z.strictObject({
  voiceId: voiceIdSchema,
  modelId: z.string().min(1, 'no model is chosen'),
})

/** Which voice to hear. */
export type VoicePreviewRequest = z.infer<typeof voicePreviewRequestSchema>

/** The answer of `GET /tts/v1/voice:preview`. */
export const voicePreviewSchema = z.looseObject({
  /** Base64, as documented an MP3 file. */
  audioContent: textSchema,
})
