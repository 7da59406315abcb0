import { checkVoiceSample, type SampleFormat, voiceSampleLimits } from '@parlando/core/audio'
import { joinSamples } from '../../dsp/signal.ts'
import { findChannelsProblem, findWavProblem } from './recording-layout.ts'

/** A decoded recording. */
export interface DecodedSample {
  /** Mono, at most 15 s. */
  samples: Float32Array
  sampleRateHertz: number
  /** Whether the recording is longer than 15 s. */
  isTrimmed: boolean
}

const { maxSeconds } = voiceSampleLimits
// Encoders pad the end by a few hundredths of a second, which does not count as audio.
const paddingSeconds = 0.1
// Small, so that little is decoded past the limit. In a WEBM with 255 channels a piece can still be a gigabyte.
const pieceBytes = 8192
// The smallest frame. The decoder reports one rate for all frames of a piece, so a piece must not complete two.
const mp3PieceBytes = 24
// A decoder per format. The package with all formats depends on GPL code for formats that the service does not accept.
const decoders: Record<SampleFormat, () => Promise<Decoder>> = {
  WAV: async () => (await import('@audio/decode-wav')).decoder(),
  MP3: async () => (await import('@audio/decode-mp3')).decoder(),
  WEBM: async () => (await import('@audio/decode-webm')).decoder(),
}

/**
 * Decodes a recording piece by piece and stops at the limit, because a few megabytes can contain hours of audio.
 * @throws {Error} that continues "the sample ..." if it cannot be decoded or is not a plausible recording.
 */
export async function decodeSample(file: Uint8Array): Promise<DecodedSample> {
  const { format, problem } = checkVoiceSample(file)
  if (problem || !format) throw new Error(problem ?? 'is not a WAV, MP3 or WEBM file')
  const wavProblem = format === 'WAV' && findWavProblem(file)
  if (wavProblem) throw new Error(wavProblem)
  const parts: Float32Array[] = []
  let sampleRateHertz = 0
  let length = 0
  for await (const { channelData, sampleRate } of decodePieces(file, format)) {
    sampleRateHertz ||= sampleRate
    rejectLayout(channelData.length, sampleRate, sampleRateHertz)
    const part = toMono(channelData)
    parts.push(part)
    length += part.length
    if (length > (maxSeconds + paddingSeconds) * sampleRateHertz) break
  }
  const wanted = Math.round(maxSeconds * sampleRateHertz)
  const samples = joinSamples(parts)
  const isTrimmed = samples.length > (maxSeconds + paddingSeconds) * sampleRateHertz
  return { samples: samples.subarray(0, wanted), sampleRateHertz, isTrimmed }
}

/** Decodes a file; a truncated file up to its end. @throws {Error} if the file contains no audio. */
async function* decodePieces(
  file: Uint8Array,
  format: SampleFormat,
): AsyncGenerator<Decoded, void> {
  const bytes = format === 'MP3' ? mp3PieceBytes : pieceBytes
  let hasSound = false
  const hasMore = ({ channelData }: Decoded) => {
    const isSound = (channelData[0]?.length ?? 0) > 0
    hasSound ||= isSound
    return isSound
  }
  try {
    const decoder = await decoders[format]()
    try {
      for (let start = 0; start < file.length; start += bytes) {
        const decoded = await decoder.decode(file.subarray(start, start + bytes))
        if (hasMore(decoded)) yield decoded
      }
      const last = await decoder.flush?.()
      if (last && hasMore(last)) yield last
    } finally {
      decoder.free()
    }
  } catch (error) {
    if (!hasSound) throw new Error(`cannot be decoded: the ${format} is damaged`, { cause: error })
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

function toMono(channels: readonly Float32Array[]): Float32Array {
  return channels[0]!.map((_, index) => {
    const sum = channels.reduce((total, channel) => total + channel[index]!, 0) / channels.length
    return Number.isFinite(sum) ? Math.min(1, Math.max(-1, sum)) : 0
  })
}
