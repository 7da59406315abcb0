import { checkVoiceSample, voiceSampleLimits } from '@parlando/core/audio'
import { decodeSound } from '../../audio/decoding/decode-sound.ts'
import { fromInt16 } from '../../audio/pcm.ts'
import { joinSamples } from '../../audio/signal.ts'

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
// The smallest frame. The decoder reports one rate for all frames of a piece, so a piece must not complete two.
const mp3PieceBytes = 24

/**
 * Decodes a recording and stops at the limit.
 * @throws {Error} that continues "the sample ..." if it cannot be decoded or is not a plausible recording. The reason of
 * the signal.
 */
export async function decodeSample(file: Uint8Array, signal: AbortSignal): Promise<DecodedSample> {
  const { format, problem } = checkVoiceSample(file)
  if (problem || !format) throw new Error(problem ?? 'is not a WAV, MP3 or WEBM file')
  const parts: Float32Array[] = []
  let rateHertz = 0
  let length = 0
  const pieceBytes = format === 'MP3' ? mp3PieceBytes : undefined
  for await (const piece of decodeSound({ format, pieceBytes }, [file], signal)) {
    const samples = fromInt16(piece.samples)
    rateHertz = piece.sampleRateHertz
    parts.push(samples)
    length += samples.length
    if (length > (maxSeconds + paddingSeconds) * rateHertz) break
  }
  const samples = joinSamples(parts)
  const isTrimmed = samples.length > (maxSeconds + paddingSeconds) * rateHertz
  return {
    samples: samples.subarray(0, Math.round(maxSeconds * rateHertz)),
    sampleRateHertz: rateHertz,
    isTrimmed,
  }
}
