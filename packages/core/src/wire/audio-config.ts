import { z } from 'zod'
import { audioEncodings, sampleRatesHertz } from './audio-encodings.ts'
import { strictObject } from './object-schema.ts'

const bitRates =
  'must be from 32000 to 320000 for MP3 (to 160000 below 32 kHz), and from 32000 to 192000 for OGG_OPUS'

/** How to encode the audio. `defaultAudioConfig` has the defaults. */
export const audioConfigSchema = strictObject({
  /** In any letter case. Default `MP3`. */
  audioEncoding: z
    .preprocess(
      (encoding) => (typeof encoding === 'string' ? encoding.toUpperCase() : encoding),
      z.enum(audioEncodings),
    )
    .optional(),
  /** Default 48000. */
  sampleRateHertz: z.literal(sampleRatesHertz).optional(),
  /** Bits per second, for `MP3` (32000-320000) and `OGG_OPUS` (32000-192000). Default 128000. */
  bitRate: z.int().min(32_000, bitRates).max(320_000, bitRates).optional(),
  /** Speed factor from 0.5 to 1.5. Default 1. */
  speakingRate: z.number().min(0.5).max(1.5).optional(),
})

/** How to encode the audio. */
export type AudioConfig = z.infer<typeof audioConfigSchema>
