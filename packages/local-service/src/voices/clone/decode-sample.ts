import { checkVoiceSample, type SampleFormat } from '@parlando/core/audio'
import { voiceSampleLimits } from '@parlando/core/wire'
import { joinSamples } from '../imprint/signal.ts'

/** A recording as plain sound. */
export interface DecodedSample {
  /** Mono, at most 15 s. */
  samples: Float32Array
  sampleRateHertz: number
  /** Whether there was more. */
  isTrimmed: boolean
}

// So small that little is decoded past the limit. A WEBM is still decoded by clusters, and a header that lies about
// blocks or channels can make much of little.
const pieceBytes = 8192
// The decoder of each format by itself: the package that has them all brings GPL code for formats that nobody sends here.
const decoders: Record<SampleFormat, () => Promise<Decoder>> = {
  WAV: async () => (await import('@audio/decode-wav')).decoder(),
  MP3: async () => (await import('@audio/decode-mp3')).decoder(),
  WEBM: async () => (await import('@audio/decode-webm')).decoder(),
}

/**
 * Decodes a recording piece by piece and stops when there is enough: the few megabytes of a file can hold hours.
 * @throws {Error} that continues "the sample ..." when it cannot be decoded.
 */
export async function decodeSample(file: Uint8Array): Promise<DecodedSample> {
  const { format, problem } = checkVoiceSample(file)
  if (problem || !format) throw new Error(problem ?? 'is not a WAV, MP3 or WEBM file')
  const parts: Float32Array[] = []
  let sampleRateHertz = 0
  let length = 0
  const enough = () => length > 0 && length > voiceSampleLimits.maxSeconds * sampleRateHertz
  const take = (decoded: Decoded) => {
    if (!decoded.channelData[0]?.length) return
    if (length === 0) sampleRateHertz = decoded.sampleRate
    if (decoded.sampleRate !== sampleRateHertz) throw new Error('changes its rate')
    parts.push(toMono(decoded.channelData))
    length += decoded.channelData[0].length
  }
  try {
    const decoder = await decoders[format]()
    try {
      for (let start = 0; start < file.length && !enough(); start += pieceBytes) {
        take(await decoder.decode(file.subarray(start, start + pieceBytes)))
      }
      if (!enough() && decoder.flush) take(await decoder.flush())
    } finally {
      decoder.free()
    }
  } catch (error) {
    // A file that breaks off gives what it has.
    if (length === 0)
      throw new Error(`cannot be decoded: the ${format} is damaged`, { cause: error })
  }
  if (length === 0) throw new Error(`cannot be decoded: the ${format} holds no sound`)
  if (sampleRateHertz < 4000 || sampleRateHertz > 192_000) {
    throw new Error(`has ${sampleRateHertz} samples a second; 8000 to 48000 are usual`)
  }
  const wanted = Math.round(voiceSampleLimits.maxSeconds * sampleRateHertz)
  const samples = joinSamples(parts)
  // Encoders pad the end by a few hundredths of a second.
  const isTrimmed = samples.length > wanted + sampleRateHertz / 10
  return { samples: samples.subarray(0, wanted), sampleRateHertz, isTrimmed }
}

interface Decoded {
  channelData: Float32Array[]
  sampleRate: number
}

interface Decoder {
  decode(piece: Uint8Array): Decoded | Promise<Decoded>
  /** For formats of which a decoder holds something back. */
  flush?(): Decoded | Promise<Decoded>
  free(): void
}

function toMono(channels: readonly Float32Array[]): Float32Array {
  return channels[0]!.map((_, index) => {
    const sum = channels.reduce((total, channel) => total + channel[index]!, 0) / channels.length
    return Number.isFinite(sum) ? Math.min(1, Math.max(-1, sum)) : 0
  })
}
