import type { AudioEncoding } from '@parlando/core/wire'
import { aLawByte, muLawByte } from '../g711.ts'
import { toInt16, toPcmBytes } from '../pcm.ts'
import type { AudioLayout, Encoder } from './encoder-types.ts'
import { openFlacEncoder } from './flac-encoder.ts'
import { createMp3Pool } from './mp3-encoder.ts'
import { openOpusEncoder, opusRateHertz } from './opus-encoder.ts'

/** Opens the encoders of one service and keeps those that are expensive to create. */
export interface EncoderPool {
  /** Opens an encoder for one utterance. Its samples must have the rate `encodedRateHertz(layout)`. */
  open(layout: AudioLayout): Promise<Encoder>
}

export function createEncoderPool(): EncoderPool {
  const mp3 = createMp3Pool()
  const open: Readonly<Record<AudioEncoding, (layout: AudioLayout) => Promise<Encoder>>> = {
    MP3: mp3.open,
    PCM: async () => pcmEncoder,
    WAV: async () => pcmEncoder,
    LINEAR16: async () => pcmEncoder,
    OGG_OPUS: openOpusEncoder,
    FLAC: openFlacEncoder,
    MULAW: async () => muLawEncoder,
    ALAW: async () => aLawEncoder,
  }
  return { open: (layout) => open[layout.audioEncoding](layout) }
}

/** The rate of the samples that are pushed into the encoder. */
export function encodedRateHertz({ audioEncoding, sampleRateHertz }: AudioLayout): number {
  return audioEncoding === 'OGG_OPUS' ? opusRateHertz(sampleRateHertz) : sampleRateHertz
}

const pcmEncoder = stateless(toPcmBytes)
const muLawEncoder = stateless((samples) => Uint8Array.from(toInt16(samples), muLawByte))
const aLawEncoder = stateless((samples) => Uint8Array.from(toInt16(samples), aLawByte))

function stateless(push: Encoder['push']): Encoder {
  return { push, end: () => new Uint8Array(), close: () => {} }
}
