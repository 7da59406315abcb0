import type { RecordingFormat } from '@parlando/core/audio'
import { findChannelsProblem, findWavProblem } from './recording-layout.ts'

/** A part of a decoded recording. All parts have the same rate. */
export interface DecodedPiece {
  /** Mono, −1…1. */
  samples: Float32Array
  sampleRateHertz: number
}

/** As a decoder returns it. */
interface Decoded {
  channelData: Float32Array[]
  sampleRate: number
}

interface Decoder {
  decode(piece: Uint8Array): Decoded | Promise<Decoded>
  /** Returns audio that the decoder holds back; absent for formats without such audio. */
  flush?(): Decoded | Promise<Decoded>
  free(): void
}

// A decoder per format. The package with all formats depends on GPL code for formats that the service does not accept.
const decoders: Record<RecordingFormat, () => Promise<Decoder>> = {
  WAV: async () => (await import('@audio/decode-wav')).decoder(),
  MP3: async () => (await import('@audio/decode-mp3')).decoder(),
  WEBM: async () => (await import('@audio/decode-webm')).decoder(),
  OGG_OPUS: async () => (await import('@audio/decode-opus')).decoder(),
  FLAC: async () => (await import('@audio/decode-flac')).decoder(),
}

// Small, so that little is decoded past a limit. In a WEBM with 255 channels a piece can still be a gigabyte.
const defaultPieceBytes = 8192

/**
 * Decodes a recording piece by piece, because a few megabytes can contain hours of audio; a truncated one up to its end.
 * @param pieceBytes how much of the file is decoded at a time. Default 8192.
 * @throws {Error} that continues "the sample ..." if it contains no audio or is not a plausible recording.
 */
export async function* decodePieces(
  file: Uint8Array,
  format: RecordingFormat,
  pieceBytes = defaultPieceBytes,
): AsyncGenerator<DecodedPiece, void> {
  const wavProblem = format === 'WAV' && findWavProblem(file)
  if (wavProblem) throw new Error(wavProblem)
  yield* decodeStream(cut(file, pieceBytes), format)
}

function* cut(file: Uint8Array, pieceBytes: number): Generator<Uint8Array, void> {
  for (let start = 0; start < file.length; start += pieceBytes) {
    yield file.subarray(start, start + pieceBytes)
  }
}

/**
 * Decodes a file while it arrives; a truncated one up to its end.
 * @param pieces of a WAV file only if `findWavProblem` finds no problem.
 * @throws {Error} as `decodePieces`, and the errors of `pieces`.
 */
export async function* decodeStream(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  format: RecordingFormat,
): AsyncGenerator<DecodedPiece, void> {
  let firstRateHertz = 0
  for await (const { channelData, sampleRate } of decodeParts(pieces, format)) {
    firstRateHertz ||= sampleRate
    rejectLayout(channelData.length, sampleRate, firstRateHertz)
    yield { samples: toMono(channelData), sampleRateHertz: sampleRate }
  }
}

async function* decodeParts(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  format: RecordingFormat,
): AsyncGenerator<Decoded, void> {
  let hasSound = false
  const hasMore = ({ channelData }: Decoded) => {
    const isSound = (channelData[0]?.length ?? 0) > 0
    hasSound ||= isSound
    return isSound
  }
  const decoder = await decoders[format]()
  /** @returns `undefined` at damage after some sound: the file ends there. */
  const attempt = async (decode: () => Decoded | Promise<Decoded>) => {
    try {
      return await decode()
    } catch (error) {
      if (hasSound) return undefined
      throw new Error(`cannot be decoded: the ${format} is damaged`, { cause: error })
    }
  }
  try {
    for await (const piece of pieces) {
      const decoded = await attempt(() => decoder.decode(piece))
      if (!decoded) return
      if (hasMore(decoded)) yield decoded
    }
    const last = decoder.flush && (await attempt(() => decoder.flush!()))
    if (last && hasMore(last)) yield last
  } finally {
    decoder.free()
  }
  if (!hasSound) throw new Error(`cannot be decoded: the ${format} contains no audio`)
}

function rejectLayout(channels: number, rateHertz: number, firstRateHertz: number): void {
  const problem = findChannelsProblem(channels)
  if (problem) throw new Error(problem)
  if (rateHertz < 4000 || rateHertz > 192_000) {
    throw new Error(`has a sample rate of ${rateHertz} Hz; 8000 to 48000 Hz are usual`)
  }
  if (rateHertz !== firstRateHertz) {
    throw new Error(
      `changes its sample rate from ${firstRateHertz} to ${rateHertz} Hz; save it again with one rate`,
    )
  }
}

function toMono(channels: readonly Float32Array[]): Float32Array {
  return channels[0]!.map((_, index) => {
    const sum = channels.reduce((total, channel) => total + channel[index]!, 0) / channels.length
    return Number.isFinite(sum) ? Math.min(1, Math.max(-1, sum)) : 0
  })
}
