import { z } from 'zod'
import { strictObject } from './object-schema.ts'

/** The limits of a list of pronunciations. Lengths are in UTF-16 code units. */
export const pronunciationLimits = {
  maxEntries: 1000,
  maxWordCharacters: 128,
  maxSayAsCharacters: 200,
} as const

const wordsSchema = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .refine((text) => text.trim() !== '', 'must not be empty')

/** How a word or a name is said. */
export const pronunciationSchema = strictObject({
  /** As it is written: one word or several, such as `Nguyen` or `New York`. */
  word: wordsSchema(pronunciationLimits.maxWordCharacters),
  /** Letters that a voice reads as the word sounds, such as `win`, or `/wɪn/` for a service that reads phonetic writing. */
  sayAs: wordsSchema(pronunciationLimits.maxSayAsCharacters),
})

/** A list of pronunciations. */
export const pronunciationsSchema = z.array(pronunciationSchema).max(pronunciationLimits.maxEntries)
