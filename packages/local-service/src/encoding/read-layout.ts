import { chooseFormat, encodings } from '@parlando/core/audio'
import type { AudioConfig } from '@parlando/core/wire'
import { ServiceError } from '../errors.ts'
import type { AudioLayout } from './encoder-types.ts'
import { highestMp3BitRate } from './mp3.ts'

const defaultBitRate = 128_000
const highestOpusBitRate = 192_000

/** @throws {ServiceError} for what the encoding cannot carry. */
export function readLayout(audioConfig: AudioConfig | undefined): AudioLayout {
  const { audioEncoding, sampleRateHertz } = chooseFormat(audioConfig)
  const rates = encodings[audioEncoding].sampleRatesHertz
  if (!rates.includes(sampleRateHertz)) {
    const message = `audioConfig.sampleRateHertz: ${audioEncoding} cannot carry ${sampleRateHertz} Hz; it carries ${rates.join(', ')}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const layout = { audioEncoding, sampleRateHertz, bitRate: audioConfig?.bitRate ?? defaultBitRate }
  if (audioConfig?.bitRate !== undefined) rejectBitRate(layout)
  return layout
}

function rejectBitRate({ audioEncoding, sampleRateHertz, bitRate }: AudioLayout): void {
  const isMp3 = audioEncoding === 'MP3'
  if (!isMp3 && audioEncoding !== 'OGG_OPUS') {
    const message = `audioConfig.bitRate: ${audioEncoding} has no bit rate to choose, MP3 and OGG_OPUS have; leave it out`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const highest = isMp3 ? highestMp3BitRate(sampleRateHertz) : highestOpusBitRate
  if (bitRate <= highest) return
  const message = `audioConfig.bitRate: ${bitRate} is more than ${audioEncoding} carries at ${sampleRateHertz} Hz, which is up to ${highest} bits per second`
  throw new ServiceError('INVALID_ARGUMENT', message)
}
