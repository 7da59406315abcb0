import { z } from 'zod'

/** How many bands the envelope has: 62.5 Hz each, from 0 to 8000 Hz. */
export const envelopeBands = 128

const frequencySchema = z.number().min(20).max(8000)

/**
 * What a voice sounds like, in numbers: measured from recordings, kept in their place, and enough to bring another
 * voice near it. A few kilobytes, and no sound can be made from it alone.
 */
export const voiceProfileSchema = z.strictObject({
  /** Of this form. A profile of another version must be measured anew. */
  version: z.literal(1),
  pitch: z.strictObject({
    /** Of all moments that have a pitch. */
    medianHertz: frequencySchema,
    /** From the lowest to the highest tenth of these moments. */
    rangeSemitones: z.number().min(0).max(48),
  }),
  /** The mean spectrum of the voiced moments without their pitch, in dB; its own mean is 0. */
  envelopeDecibels: z.array(z.number().min(-60).max(60)).length(envelopeBands),
  /** The medians of the resonances of the mouth, F1 to F4. */
  formantsHertz: z.tuple([frequencySchema, frequencySchema, frequencySchema, frequencySchema]),
  /** While speaking; pauses do not count. */
  syllablesPerSecond: z.number().min(0.5).max(15),
  /** Root mean square of the spoken parts, 0...1 of full scale, weighted as the ear hears it. */
  level: z.number().positive().max(1),
})

export type VoiceProfile = z.infer<typeof voiceProfileSchema>
