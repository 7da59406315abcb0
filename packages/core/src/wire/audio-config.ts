import { z } from 'zod'
import { strictObject } from './object-schema.ts'

/** Codec and container of the audio, with the names of the service. */
export const audioEncodings = [
  'MP3',
  'PCM',
  'WAV',
  'LINEAR16',
  'OGG_OPUS',
  'FLAC',
  'MULAW',
  'ALAW',
] as const

/** One of `audioEncodings`. */
export type AudioEncoding = (typeof audioEncodings)[number]

/** The sample rates of the service. `audio/encodings.ts` lists the rates of each encoding. */
export const sampleRatesHertz = [8000, 16000, 22050, 24000, 32000, 44100, 48000] as const

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
  bitRate: z.int().min(32_000).max(320_000).optional(),
  /** Speed factor from 0.5 to 1.5. Default 1. */
  speakingRate: z.number().min(0.5).max(1.5).optional(),
})

/** How to encode the audio. */
export type AudioConfig = z.infer<typeof audioConfigSchema>

/** The defaults of the service. */
export const defaultAudioConfig = { audioEncoding: 'MP3', sampleRateHertz: 48000 } as const
