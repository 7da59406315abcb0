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

export type Voice = z.infer<typeof voiceSchema>

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

export type VoiceListRequest = z.infer<typeof voiceListRequestSchema>

export const voiceListSchema = z.looseObject({
  voices: z.array(voiceSchema).nullish(),
  nextPageToken: textSchema,
  totalSize: z.number().nullish(),
})
