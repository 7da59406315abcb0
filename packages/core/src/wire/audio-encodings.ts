// Without zod, because programs that only name encodings import this file and must not load a library for it.

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

/** The defaults of the service. */
export const defaultAudioConfig = { audioEncoding: 'MP3', sampleRateHertz: 48000 } as const
