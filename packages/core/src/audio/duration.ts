import type { AudioEncoding } from '../wire/audio-config.ts'
import { encodings } from './encodings.ts'
import { createFlacMeter } from './flac.ts'
import { createMp3Meter } from './mp3.ts'
import { createOggOpusMeter } from './ogg.ts'
import { readWavHeader } from './wav.ts'

/** Tells how long audio is, while it arrives. */
export interface DurationMeter {
  /** Takes the next bytes of the audio, cut anywhere. */
  push(bytes: Uint8Array): void
  /** Seconds of audio so far; `undefined` while OGG_OPUS or FLAC is not recognised in the bytes. */
  readonly seconds: number | undefined
}

/** Tells how long audio is from its bytes, while they arrive. A WAV header must arrive whole. */
export function createDurationMeter(
  encoding: AudioEncoding,
  sampleRateHertz: number,
): DurationMeter {
  if (encoding === 'MP3') return createMp3Meter()
  if (encoding === 'OGG_OPUS') return createOggOpusMeter()
  if (encoding === 'FLAC') return createFlacMeter()
  const { bytesPerSample } = encodings[encoding]
  let audioBytes = 0
  let rateHertz = sampleRateHertz
  return {
    push(bytes) {
      const header = readWavHeader(bytes)
      rateHertz = header?.sampleRateHertz ?? rateHertz
      audioBytes += bytes.length - (header?.dataOffset ?? 0)
    },
    get seconds() {
      return bytesPerSample && audioBytes / bytesPerSample / rateHertz
    },
  }
}
