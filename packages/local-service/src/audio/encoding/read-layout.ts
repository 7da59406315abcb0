import { chooseFormat, encodings } from '@parlando/core/audio'
import type { AudioConfig } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import type { AudioLayout } from './encoder-types.ts'
import { maxMp3BitRate } from './mp3-encoder.ts'

const defaultBitRate = 128_000
const maxOpusBitRate = 192_000

/** @throws {ServiceError} for a sample rate or a bit rate that the encoding does not support. */
export function readLayout(audioConfig: AudioConfig | undefined): AudioLayout {
  const { audioEncoding, sampleRateHertz } = chooseFormat(audioConfig)
  const rates = encodings[audioEncoding].sampleRatesHertz
  if (!rates.includes(sampleRateHertz)) {
    const message = `audioConfig.sampleRateHertz: ${audioEncoding} does not support ${sampleRateHertz} Hz; it supports ${rates.join(', ')}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const layout = { audioEncoding, sampleRateHertz, bitRate: audioConfig?.bitRate ?? defaultBitRate }
  if (audioConfig?.bitRate !== undefined) rejectBitRate(layout)
  return layout
}

function rejectBitRate({ audioEncoding, sampleRateHertz, bitRate }: AudioLayout): void {
  const isMp3 = audioEncoding === 'MP3'
  if (!isMp3 && audioEncoding !== 'OGG_OPUS') {
    const message = `audioConfig.bitRate: only MP3 and OGG_OPUS have a bit rate, ${audioEncoding} does not; leave it out`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const max = isMp3 ? maxMp3BitRate(sampleRateHertz) : maxOpusBitRate
  if (bitRate <= max) return
  const message = `audioConfig.bitRate: ${bitRate} exceeds the maximum of ${audioEncoding} at ${sampleRateHertz} Hz, ${max} bits per second`
  throw new ServiceError('INVALID_ARGUMENT', message)
}
