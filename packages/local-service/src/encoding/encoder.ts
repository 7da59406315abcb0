import { writeWavHeader } from '@parlando/core/audio'
import type { AudioEncoding } from '@parlando/core/wire'
import { toInt16 } from '../dsp/pcm.ts'
import { openFlacEncoder } from './flac.ts'
import { aLawEncoder, muLawEncoder } from './g711.ts'
import { openMp3Encoder } from './mp3.ts'
import { openOpusEncoder, opusRateHertz } from './opus.ts'

/** Turns the samples of one utterance into bytes, without the headers of a file. */
export interface Encoder {
  push(samples: Float32Array): Uint8Array
  /** @returns what was held back. */
  end(): Uint8Array
  /** Gives back what it uses; must be called whatever happened. */
  close(): void
}

export interface AudioLayout {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
  /** Bits per second; MP3 and OGG_OPUS alone. */
  bitRate: number
}

/** @param layout whose samples are pushed at `encodedRateHertz` of it. */
export function openEncoder(layout: AudioLayout): Promise<Encoder> {
  return openers[layout.audioEncoding](layout)
}

/** The rate at which the samples go into the encoder. */
export function encodedRateHertz({ audioEncoding, sampleRateHertz }: AudioLayout): number {
  return audioEncoding === 'OGG_OPUS' ? opusRateHertz(sampleRateHertz) : sampleRateHertz
}

const pcmEncoder: Encoder = {
  push(samples) {
    const rounded = toInt16(samples)
    const bytes = Buffer.allocUnsafe(rounded.length * 2)
    for (let index = 0; index < rounded.length; index++) {
      bytes.writeInt16LE(rounded[index]!, index * 2)
    }
    return bytes
  },
  end: () => new Uint8Array(),
  close: () => {},
}

const openers: Readonly<Record<AudioEncoding, (layout: AudioLayout) => Promise<Encoder>>> = {
  MP3: openMp3Encoder,
  PCM: async () => pcmEncoder,
  WAV: async () => pcmEncoder,
  LINEAR16: async () => pcmEncoder,
  OGG_OPUS: openOpusEncoder,
  FLAC: openFlacEncoder,
  MULAW: async () => muLawEncoder,
  ALAW: async () => aLawEncoder,
}

/** Puts the headers where the protocol has them in a stream: LINEAR16 in every chunk, WAV in the first alone. */
export function withChunkHeader(
  layout: AudioLayout,
  body: Uint8Array,
  chunkIndex: number,
): Uint8Array {
  const { audioEncoding, sampleRateHertz } = layout
  if (audioEncoding === 'LINEAR16') return withWavHeader(body, sampleRateHertz, body.length)
  if (audioEncoding === 'WAV' && chunkIndex === 0) return withWavHeader(body, sampleRateHertz)
  return body
}

/** Puts the header before the whole audio where the encoding has one. */
export function withFileHeader(layout: AudioLayout, body: Uint8Array): Uint8Array {
  const hasHeader = layout.audioEncoding === 'LINEAR16' || layout.audioEncoding === 'WAV'
  return hasHeader ? withWavHeader(body, layout.sampleRateHertz, body.length) : body
}

function withWavHeader(body: Uint8Array, sampleRateHertz: number, dataBytes?: number): Uint8Array {
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes }), body])
}
