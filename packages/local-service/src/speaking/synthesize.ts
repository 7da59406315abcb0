import { type EncoderPool, encodedRateHertz } from '../audio/encoding/encoder-pool.ts'
import type { AudioLayout } from '../audio/encoding/encoder-types.ts'
import { createResampler } from '../audio/resampler.ts'
import { joinSamples } from '../audio/signal.ts'
import type { PhraseSound, SpokenWord } from '../engines/engine.ts'
import { speakUtterance } from './speak-utterance.ts'
import type { SynthesisRequest } from './synthesis-request.ts'
import { createWordTimeline } from './word-timeline.ts'

/** A piece of an encoded utterance. */
export interface AudioChunk {
  /** Encoded audio without the header of a WAV file. Empty only if the last words arrive after all audio. */
  audio: Uint8Array
  /** The duration of the audio that went into the chunk, including audio that the encoder still holds back. */
  durationSeconds: number
  /** The words that start in this audio. */
  words: readonly SpokenWord[]
}

// The first chunk is the shortest, because playback cannot start before the whole chunk is generated.
const firstChunkSeconds = 0.1
const chunkSeconds = 0.25
// A shorter rest waits for the next sound: a chunk costs a line, a message and a packet, however short it is.
const shortestChunkSeconds = 0.02

/** Speaks a request, chunk by chunk. Returning from the loop or aborting the signal stops the work. */
export function synthesize(
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<AudioChunk, void> {
  const { running, layout, encoders } = request
  const inputRateHertz = running.engine.sampleRateHertz
  return encodeUtterance(speakUtterance(request, signal), { inputRateHertz, layout, encoders })
}

export interface EncodeOptions {
  /** The rate of the utterance. */
  inputRateHertz: number
  layout: AudioLayout
  encoders: EncoderPool
}

/** Resamples and encodes an utterance, chunk by chunk. */
export async function* encodeUtterance(
  utterance: AsyncIterable<PhraseSound>,
  { inputRateHertz, layout, encoders }: EncodeOptions,
): AsyncGenerator<AudioChunk, void> {
  const sounds = utterance[Symbol.asyncIterator]()
  // Requested before the resampler and the encoder open, so that the voice speaks in its thread meanwhile.
  let next = sounds.next()
  // The voice may fail meanwhile. The loop below throws its error; until then it would be an unhandled rejection.
  next.catch(() => {})
  const opened: { close(): void }[] = []
  const timeline = createWordTimeline()
  let samples = 0
  let secondsSoFar = 0
  const toChunk = (audio: Uint8Array, isLast = false): AudioChunk => {
    const durationSeconds = samples / inputRateHertz
    secondsSoFar += durationSeconds
    samples = 0
    const words = timeline.takeUntil(secondsSoFar)
    if (isLast) words.push(...timeline.takeRest(secondsSoFar))
    return { audio, durationSeconds, words }
  }
  try {
    const outputRateHertz = encodedRateHertz(layout)
    const resampler = await createResampler({ inputRateHertz, outputRateHertz })
    opened.push(resampler)
    const encoder = await encoders.open(layout)
    opened.push(encoder)
    const encode = (piece: Float32Array) => {
      samples += piece.length
      return encoder.push(resampler.push(piece))
    }
    let pieceSeconds = firstChunkSeconds
    let held: Float32Array = new Float32Array()
    for (let sound = await next; !sound.done; sound = await next) {
      if (sound.value.words) timeline.push(sound.value.words)
      held = held.length > 0 ? joinSamples([held, sound.value.samples]) : sound.value.samples
      while (held.length >= inputRateHertz * shortestChunkSeconds) {
        const end = Math.round(inputRateHertz * pieceSeconds)
        const audio = encode(held.subarray(0, end))
        held = held.subarray(end)
        pieceSeconds = chunkSeconds
        if (audio.length > 0) yield toChunk(audio)
      }
      next = sounds.next()
    }
    const rest = Buffer.concat([encode(held), encoder.push(resampler.end()), encoder.end()])
    const last = toChunk(rest, true)
    if (last.audio.length > 0 || last.words.length > 0) yield last
  } finally {
    for (const part of opened) part.close()
    await sounds.return?.()
  }
}
