import { createResampler } from '../dsp/resampler.ts'
import { type AudioLayout, encodedRateHertz, openEncoder } from '../encoding/encoder.ts'
import type { Sound, SpokenWord } from '../engines/engine.ts'
import { createWordTimeline } from './word-timeline.ts'

/** A piece of an utterance as it travels. */
export interface AudioChunk {
  /** Without the headers of a file; never empty, unless the last words come without. */
  audio: Uint8Array
  /** How much sound went into it; what an encoder still holds back counts already. */
  durationSeconds: number
  /** Those that begin in this sound. */
  words: readonly SpokenWord[]
}

// The first chunk is the shortest, since all of it must be made before any of it is heard.
const firstChunkSeconds = 0.1
const chunkSeconds = 0.25

/**
 * Brings an utterance into the layout that was asked for, chunk by chunk.
 * @param utterance at `inputRateHertz`.
 */
export async function* encodeUtterance(
  utterance: AsyncIterable<Sound>,
  inputRateHertz: number,
  layout: AudioLayout,
): AsyncGenerator<AudioChunk, void> {
  const sounds = utterance[Symbol.asyncIterator]()
  // Asked for first, so that the voice speaks on its thread while resampler and encoder are made ready here.
  let next = sounds.next()
  // A voice may fail before they are ready. The loop below throws that; unheard until then, it would end the process.
  next.catch(() => {})
  const opened: { close(): void }[] = []
  const waiting = createWordTimeline()
  let samples = 0
  let secondsSoFar = 0
  const chunk = (audio: Uint8Array, isLast = false): AudioChunk => {
    const durationSeconds = samples / inputRateHertz
    secondsSoFar += durationSeconds
    samples = 0
    const words = waiting.takeUntil(secondsSoFar)
    if (isLast) words.push(...waiting.takeRest(secondsSoFar))
    return { audio, durationSeconds, words }
  }
  let seconds = firstChunkSeconds
  try {
    const outputRateHertz = encodedRateHertz(layout)
    const resampler = await createResampler({ inputRateHertz, outputRateHertz })
    opened.push(resampler)
    const encoder = await openEncoder(layout)
    opened.push(encoder)
    for (let sound = await next; !sound.done; sound = await next) {
      if (sound.value.words) waiting.push(sound.value.words)
      for (const piece of pieces(sound.value.samples)) {
        samples += piece.length
        const audio = encoder.push(resampler.push(piece))
        if (audio.length > 0) yield chunk(audio)
      }
      next = sounds.next()
    }
    const last = Buffer.concat([encoder.push(resampler.end()), encoder.end()])
    const rest = chunk(last, true)
    if (last.length > 0 || rest.words.length > 0) yield rest
  } finally {
    for (const part of opened) part.close()
    await sounds.return?.()
  }

  function* pieces(samples: Float32Array): Generator<Float32Array, void> {
    for (let start = 0; start < samples.length; ) {
      const end = start + Math.round(inputRateHertz * seconds)
      yield samples.subarray(start, end)
      start = end
      seconds = chunkSeconds
    }
  }
}
