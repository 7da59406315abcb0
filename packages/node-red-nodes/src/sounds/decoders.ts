import type { AudioEncoding } from '@parlando/core/audio'

export interface DecodedPiece {
  channelData: readonly Float32Array[]
  sampleRate: number
}

/** Decodes one sound, piece by piece. */
export interface Decoder {
  decode(piece: Uint8Array): DecodedPiece
  /** Returns audio that the decoder holds back. */
  flush?(): DecodedPiece
  free?(): void
}

// The decoders of files load when a sound needs them; each contains a program of up to 200 KB.
const wavDecoder = async () => (await import('@audio/decode-wav')).decoder()

/** @param sampleRateHertz the rate of encodings without a header. */
export const createDecoder: Readonly<
  Record<AudioEncoding, (sampleRateHertz: number) => Decoder | Promise<Decoder>>
> = {
  MP3: async () => (await import('@audio/decode-mp3')).decoder(),
  FLAC: async () => (await import('@audio/decode-flac')).decoder(),
  OGG_OPUS: async () => (await import('@audio/decode-opus')).decoder(),
  WAV: wavDecoder,
  LINEAR16: wavDecoder,
  PCM: (sampleRateHertz) => {
    let half: Uint8Array = new Uint8Array()
    return {
      decode(piece) {
        const bytes = Buffer.concat([half, piece])
        half = bytes.subarray(bytes.length - (bytes.length % 2))
        const samples = new Float32Array(bytes.length >> 1)
        for (const index of samples.keys()) samples[index] = bytes.readInt16LE(2 * index) / 0x8000
        return { channelData: [samples], sampleRate: sampleRateHertz }
      },
    }
  },
  MULAW: companded(muLawSample),
  ALAW: companded(aLawSample),
}

/** ITU-T G.711: one byte for each sample. */
function companded(sampleOf: (byte: number) => number): (sampleRateHertz: number) => Decoder {
  return (sampleRateHertz) => ({
    decode: (piece) => ({
      channelData: [Float32Array.from(piece, (byte) => sampleOf(byte) / 0x8000)],
      sampleRate: sampleRateHertz,
    }),
  })
}

function muLawSample(byte: number): number {
  const bits = ~byte
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84
  return bits & 0x80 ? -magnitude : magnitude
}

function aLawSample(byte: number): number {
  const bits = byte ^ 0x55
  const segment = (bits >> 4) & 7
  const position = ((bits & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? position : (position + 0x100) << (segment - 1)
  return bits & 0x80 ? magnitude : -magnitude
}
