import type { AudioEncoding } from '../wire/audio-config.ts'
import { encodings } from './encodings.ts'
import { createMp3Meter } from './mp3-frames.ts'
import { readWavHeader } from './wav.ts'

export interface DurationMeter {
  /** Takes the next bytes of the audio, cut anywhere. */
  push(bytes: Uint8Array): void
  /** Seconds of audio so far; `undefined` for encodings that are not counted (OGG_OPUS, FLAC). */
  readonly seconds: number | undefined
}

/** Tells how long audio is from its bytes, while they arrive. A WAV header must arrive whole. */
export function createDurationMeter(
  encoding: AudioEncoding,
  sampleRateHertz: number,
): DurationMeter {
  if (encoding === 'MP3') return createMp3Meter()
  const { bytesPerSample } = encodings[encoding]
  let audioBytes = 0
  let rateHertz = sampleRateHertz
  return {
    push(bytes) {
      const header = readWavHeader(bytes)
      if (header) rateHertz = header.sampleRateHertz
      audioBytes += bytes.length - (header?.dataOffset ?? 0)
    },
    get seconds() {
      return bytesPerSample && audioBytes / bytesPerSample / rateHertz
    },
  }
}
