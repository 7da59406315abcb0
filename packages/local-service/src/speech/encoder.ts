import { writeWavHeader } from '@parlando/core/audio'
import type { AudioEncoding } from '@parlando/core/wire'
import { openMp3Encoder } from './mp3-encoder.ts'

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
  /** Bits per second; compressed encodings alone. */
  bitRate: number
}

/** The encodings this service makes. */
export const madeEncodings: readonly AudioEncoding[] = ['MP3', 'PCM', 'WAV', 'LINEAR16']

export function openEncoder(layout: AudioLayout): Promise<Encoder> {
  return layout.audioEncoding === 'MP3' ? openMp3Encoder(layout) : Promise.resolve(pcmEncoder)
}

const pcmEncoder: Encoder = {
  push(samples) {
    const bytes = Buffer.allocUnsafe(samples.length * 2)
    for (let index = 0; index < samples.length; index++) {
      const sample = Math.round(samples[index]! * 32767)
      bytes.writeInt16LE(Math.max(-32768, Math.min(32767, sample)), index * 2)
    }
    return bytes
  },
  end: () => new Uint8Array(),
  close: () => {},
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
