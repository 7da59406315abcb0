import type { AudioConfig } from '../wire/audio-config.ts'
import { type AudioEncoding, defaultAudioConfig } from '../wire/audio-encodings.ts'

/** Properties of an encoding. */
export interface EncodingFacts {
  /** The value of `Content-Type`. */
  mediaType: string
  /** The usual file extension, without the dot. */
  fileExtension: string
  /** The sample rates that the encoding supports. */
  sampleRatesHertz: readonly number[]
  /** Bytes per mono sample; absent for compressed encodings. */
  bytesPerSample?: number
}

// Enough for speech, with half the data of 48 kHz.
const usualSampleRateHertz = 24_000

const allRates = [8000, 16000, 22050, 24000, 32000, 44100, 48000]
const ratesFrom16k = allRates.slice(1)

/** Properties of each encoding. All audio is mono. Source of the rates: the service's public reference (read 2026-11). */
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

/** Whether the samples are 16-bit PCM, with or without a WAV header. */
export function isPcm16(encoding: AudioEncoding): boolean {
  return encodings[encoding].bytesPerSample === 2
}

/** Determines the encoding and sample rate that the service uses for a request, including its defaults. */
export function chooseFormat(config: AudioConfig = {}): {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
} {
  const audioEncoding = config.audioEncoding ?? defaultAudioConfig.audioEncoding
  const [only, ...others] = encodings[audioEncoding].sampleRatesHertz
  const defaultRateHertz = others.length === 0 ? only! : defaultAudioConfig.sampleRateHertz
  return { audioEncoding, sampleRateHertz: config.sampleRateHertz ?? defaultRateHertz }
}

/** Chooses the preferred rate if the encoding supports it, else 24 kHz, else the lowest supported rate. */
export function fitSampleRateHertz(ratesHertz: readonly number[], preferredHertz: number): number {
  const candidates = [preferredHertz, usualSampleRateHertz]
  return candidates.find((hertz) => ratesHertz.includes(hertz)) ?? ratesHertz[0]!
}
