import { z } from 'zod'

/** Codec and container of the audio, by the service's own names. */
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

/** The sample rates the service speaks of; which of them an encoding can carry is in `audio/encodings.ts`. */
export const sampleRatesHertz = [8000, 16000, 22050, 24000, 32000, 44100, 48000] as const

/** How the audio is to be encoded; what is left out is as in `defaultAudioConfig`. */
export const audioConfigSchema = z.strictObject({
  /** Default `MP3`. */
  audioEncoding: z.enum(audioEncodings).optional(),
  /** Default 48000. */
  sampleRateHertz: z.literal(sampleRatesHertz).optional(),
  /** Bits per second, for `MP3` (32000-320000) and `OGG_OPUS` (32000-192000). Default 128000. */
  bitRate: z.int().min(32_000).max(320_000).optional(),
  /** 1 is natural, 0.5 half as fast, 1.5 the fastest. Default 1. */
  speakingRate: z.number().min(0.5).max(1.5).optional(),
})

/** How the audio is to be encoded. */
export type AudioConfig = z.infer<typeof audioConfigSchema>

/** What the service does when a request leaves the audio open. */
export const defaultAudioConfig = { audioEncoding: 'MP3', sampleRateHertz: 48000 } as const
