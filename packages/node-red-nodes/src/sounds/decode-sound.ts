import { setImmediate as nextTurn } from 'node:timers/promises'
import { NodeInputError, reasonOf } from '../shared/failure.ts'
import { createDecoder, type DecodedPiece } from './decoders.ts'
import { createResampler, type Resampler } from './resampler.ts'
import { createSound, type GrowingSound, type Sound, stepBytes } from './sound.ts'

/** Small, since a file of a few bytes may contain hours of silence. */
const pieceBytes = 4096
/** More would be a header that never ends; the decoder of WAV copies a header again with each piece. */
const maxWavHeaderBytes = 1024 * 1024

/**
 * Decodes a sound while it grows.
 * @returns 16-bit mono PCM; the sound itself if it is that already. It fails with a {@link NodeInputError} if the sound
 * cannot be decoded, with the error of the sound, or with the reason of the signal.
 */
export function decodeSound(sound: Sound, sampleRateHertz: number, signal?: AbortSignal): Sound {
  const { format } = sound
  if (format.audioEncoding === 'PCM' && format.sampleRateHertz === sampleRateHertz) return sound
  const decoded = createSound({ audioEncoding: 'PCM', sampleRateHertz }, stepBytes)
  decodeInto(decoded, sound, signal).then(
    () => decoded.complete(),
    (error) => decoded.fail(error),
  )
  return decoded
}

async function decodeInto(
  decoded: GrowingSound,
  sound: Sound,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { audioEncoding, sampleRateHertz } = sound.format
  const decoder = await createDecoder[audioEncoding](sampleRateHertz)
  let resampler: Resampler | undefined
  let inputRateHertz = 0
  let readBytes = 0

  const append = ({ channelData, sampleRate }: DecodedPiece) => {
    if (!channelData[0]?.length) return
    if (!resampler) {
      checkRate(sampleRate)
      inputRateHertz = sampleRate
      resampler = createResampler(sampleRate, decoded.format.sampleRateHertz)
    }
    if (sampleRate !== inputRateHertz) {
      throw new NodeInputError(
        `The sound changes its sample rate from ${inputRateHertz} to ${sampleRate} Hz: save it again with one rate`,
      )
    }
    decoded.append(toPcm(resampler.push(toMono(channelData))))
  }
  /** Wraps errors of the decoder only. */
  const decode = (step: () => DecodedPiece) => {
    try {
      return step()
    } catch (error) {
      throw new NodeInputError(
        `The sound cannot be decoded as ${audioEncoding}: ${reasonOf(error)}`,
        { cause: error },
      )
    }
  }

  try {
    for await (const chunk of sound.read(signal)) {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes)
        append(decode(() => decoder.decode(piece)))
        readBytes += piece.length
        if (!resampler && isWav(sound) && readBytes > maxWavHeaderBytes) {
          throw new NodeInputError('The sound is not a WAV file: its header does not end')
        }
        // A long file must not hold up Node-RED, nor fill its memory.
        await nextTurn()
        await decoded.room(signal)
        signal?.throwIfAborted()
      }
    }
    if (decoder.flush) append(decode(() => decoder.flush!()))
    if (!resampler) throw new NodeInputError(`The sound contains no ${audioEncoding} audio`)
    decoded.append(toPcm(resampler.end()))
  } finally {
    decoder.free?.()
  }
}

function isWav({ format }: Sound): boolean {
  return format.audioEncoding === 'WAV' || format.audioEncoding === 'LINEAR16'
}

function checkRate(rateHertz: number): void {
  if (Number.isInteger(rateHertz) && rateHertz >= 4000 && rateHertz <= 192_000) return
  throw new NodeInputError(
    `The sound has a sample rate of ${rateHertz} Hz: 8000 to 48000 Hz are usual`,
  )
}

function toMono(channels: readonly Float32Array[]): Float32Array {
  const [first, ...others] = channels
  if (others.length === 0) return first!
  return first!.map(
    (_, index) => channels.reduce((sum, channel) => sum + channel[index]!, 0) / channels.length,
  )
}

function toPcm(samples: Float32Array): Uint8Array {
  const pcm = Buffer.alloc(2 * samples.length)
  for (const [index, sample] of samples.entries()) {
    // A damaged file may contain samples that are not numbers.
    const value = Math.round((sample || 0) * 0x8000)
    pcm.writeInt16LE(Math.max(-0x8000, Math.min(0x7fff, value)), 2 * index)
  }
  return pcm
}
