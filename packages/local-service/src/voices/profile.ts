import { z } from 'zod'
import { envelopeBands } from './imprint/envelope-bands.ts'

const frequencySchema = z.number().min(20).max(8000)

/**
 * The measured features of a voice. The service keeps them instead of the recordings. They take a few kilobytes and are
 * enough to reshape another voice, but not enough to reconstruct speech.
 */
export const voiceProfileSchema = z.strictObject({
  /** Version of this schema. A profile of another version must be measured again. */
  version: z.literal(1),
  pitch: z.strictObject({
    /** The median of all voiced frames. */
    medianHertz: frequencySchema,
    /** The range from the 10th to the 90th percentile of these frames. */
    rangeSemitones: z.number().min(0).max(48),
  }),
  /** The mean spectral envelope of the voiced frames, in dB. The mean of all bands is 0. */
  envelopeDecibels: z.array(z.number().min(-60).max(60)).length(envelopeBands),
  /** The medians of the formants F1 to F4. */
  formantsHertz: z.tuple([frequencySchema, frequencySchema, frequencySchema, frequencySchema]),
  /** Pauses are excluded. */
  syllablesPerSecond: z.number().min(0.5).max(15),
  /** The loudness of the spoken parts, 0…1 of full scale, as `speechLevel` measures it. */
  level: z.number().positive().max(1),
})

export type VoiceProfile = z.infer<typeof voiceProfileSchema>
