import type { AudioEncoding } from '../wire/audio-encodings.ts'
import { encodings } from './encodings.ts'
import { createFlacMeter } from './flac.ts'
import type { DurationMeter } from './incremental.ts'
import { createMp3Meter } from './mp3.ts'
import { OggOpusMeter } from './ogg.ts'
import { readWavHeader } from './wav.ts'

/**
 * Measures how long audio is from its bytes, while they arrive. A WAV header must arrive in one piece.
 * @param sampleRateHertz the rate of encodings without a header.
 */
export function createDurationMeter(
  encoding: AudioEncoding,
  sampleRateHertz: number,
): DurationMeter {
  if (encoding === 'MP3') return createMp3Meter()
  if (encoding === 'OGG_OPUS') return new OggOpusMeter()
  if (encoding === 'FLAC') return createFlacMeter()
  const { bytesPerSample = 0 } = encodings[encoding]
  let audioBytes = 0
  let bytesPerSecond = bytesPerSample * sampleRateHertz
  const meter = {
    seconds: 0,
    push(bytes: Uint8Array) {
      const header = readWavHeader(bytes)
      if (header) {
        const { channels, bitsPerSample, sampleRateHertz: rateHertz = sampleRateHertz } = header
        bytesPerSecond = (channels * bitsPerSample * rateHertz) / 8 || bytesPerSample * rateHertz
      }
      audioBytes += bytes.length - (header?.dataOffset ?? 0)
      meter.seconds = audioBytes / bytesPerSecond
    },
  }
  return meter
}
