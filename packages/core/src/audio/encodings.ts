import { type AudioConfig, type AudioEncoding, defaultAudioConfig } from '../wire/audio-config.ts'

/** What there is to know of an encoding. */
export interface EncodingFacts {
  /** What the bytes are, for `Content-Type`. */
  mediaType: string
  /** Usual ending of a file's name. */
  fileExtension: string
  /** Sample rates it can carry. */
  sampleRatesHertz: readonly number[]
  /** Bytes of one mono sample where every sample takes as many; absent in compressed encodings. */
  bytesPerSample?: number
}

// Enough for a voice, at half the size of music.
const usualSampleRateHertz = 24_000

const allRates = [8000, 16000, 22050, 24000, 32000, 44100, 48000]
const ratesFrom16k = allRates.slice(1)

/** What each encoding is. All of them are mono. Rates: the service's public reference (read 2026-11). */
export const encodings: Readonly<Record<AudioEncoding, EncodingFacts>> = {
  MP3: { mediaType: 'audio/mpeg', fileExtension: 'mp3', sampleRatesHertz: ratesFrom16k },
  PCM: {
    mediaType: 'audio/pcm',
    fileExtension: 'pcm',
    sampleRatesHertz: allRates,
    bytesPerSample: 2,
  },
  WAV: {
    mediaType: 'audio/wav',
    fileExtension: 'wav',
    sampleRatesHertz: allRates,
    bytesPerSample: 2,
  },
  LINEAR16: {
    mediaType: 'audio/wav',
    fileExtension: 'wav',
    sampleRatesHertz: allRates,
    bytesPerSample: 2,
  },
  OGG_OPUS: { mediaType: 'audio/ogg', fileExtension: 'ogg', sampleRatesHertz: allRates },
  FLAC: { mediaType: 'audio/flac', fileExtension: 'flac', sampleRatesHertz: allRates },
  MULAW: {
    mediaType: 'audio/basic',
    fileExtension: 'ulaw',
    sampleRatesHertz: [8000],
    bytesPerSample: 1,
  },
  ALAW: {
    mediaType: 'audio/PCMA',
    fileExtension: 'alaw',
    sampleRatesHertz: [8000],
    bytesPerSample: 1,
  },
}

/** True where the samples are 16-bit PCM, with or without a WAV header. */
export function isPcm16(encoding: AudioEncoding): boolean {
  return encodings[encoding].bytesPerSample === 2
}

/** Encoding and rate of what such a request gets: without a rate, the only one of the encoding, or the service's default. */
export function chooseFormat(config: AudioConfig = {}): {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
} {
  const audioEncoding = config.audioEncoding ?? defaultAudioConfig.audioEncoding
  const [only, ...others] = encodings[audioEncoding].sampleRatesHertz
  const unasked = others.length === 0 ? only! : defaultAudioConfig.sampleRateHertz
  return { audioEncoding, sampleRateHertz: config.sampleRateHertz ?? unasked }
}

/** The rate that is wished where it is among those of an encoding, else a usual one of them. */
export function fitSampleRateHertz(ratesHertz: readonly number[], wishedHertz: number): number {
  const wanted = [wishedHertz, usualSampleRateHertz]
  return wanted.find((hertz) => ratesHertz.includes(hertz)) ?? ratesHertz[0]!
}
