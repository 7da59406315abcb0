import { checkChannels, checkSampleRate, RecordingError } from '@parlando/core/audio'
import { type Decoded, openDecoder, type SoundDecoder, type SoundLayout } from './decoders.ts'

/** A part of a decoded sound, mono. All parts have the same rate. */
export interface DecodedPiece {
  /** −1…1. */
  samples: Float32Array
  sampleRateHertz: number
}

/**
 * Decodes a sound while it arrives; a truncated one up to its end.
 * @param pieces of a sound whose headers were checked.
 * @throws {RecordingError} if it contains no sound or is not a plausible recording, and the errors of `pieces`.
 */
export async function* decodePieces(
  pieces: AsyncIterable<Uint8Array>,
  layout: SoundLayout,
): AsyncGenerator<DecodedPiece, void> {
  const { format } = layout
  const decoder = await openDecoder(layout)
  let firstRateHertz = 0
  const toPiece = ({ channelData, sampleRate }: Decoded): DecodedPiece => {
    checkChannels(channelData.length)
    checkSampleRate(sampleRate)
    firstRateHertz ||= sampleRate
    if (sampleRate !== firstRateHertz) {
      throw new RecordingError('changed-rate', { from: firstRateHertz, to: sampleRate })
    }
    return { samples: toMono(channelData), sampleRateHertz: sampleRate }
  }
  try {
    for await (const bytes of withEnd(pieces)) {
      const decoded = bytes ? decoder.decode(bytes) : decoder.flush()
      for (const part of untilDamage(decoded)) {
        if (part) yield toPiece(part)
        // At damage after some sound, the recording ends.
        else if (firstRateHertz > 0) return
        else throw new RecordingError('damaged', { format })
      }
    }
  } finally {
    decoder.free()
  }
  if (firstRateHertz === 0) throw new RecordingError('no-audio', { format })
}

async function* withEnd(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | undefined, void> {
  yield* pieces
  yield undefined
}

/** Yields what contains sound, and `undefined` where the library throws. */
function* untilDamage(
  parts: ReturnType<SoundDecoder['decode']>,
): Generator<Decoded | undefined, void> {
  const iterator = parts[Symbol.iterator]()
  for (;;) {
    let next: IteratorResult<Decoded>
    try {
      next = iterator.next()
    } catch {
      yield undefined
      return
    }
    if (next.done) return
    if (next.value.channelData[0]?.length) yield next.value
  }
}

function toMono(channels: readonly Float32Array[]): Float32Array {
  const mono = new Float32Array(channels[0]!.length)
  for (const channel of channels) {
    for (let index = 0; index < mono.length; index++) mono[index]! += channel[index]!
  }
  return mono.map((sum) => {
    const mean = sum / channels.length
    return Number.isFinite(mean) ? Math.min(1, Math.max(-1, mean)) : 0
  })
}
