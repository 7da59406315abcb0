import type { AudioChunk } from '../speaking/synthesize.ts'

/** A sentence of a response and its sound. */
export interface SpokenSentence {
  text: string
  /** Empty if there is nothing to speak. */
  chunks: AsyncIterable<AudioChunk>
}

/** Speaks a text. The work starts with the first `next()`. */
export type Speak = (text: string, signal: AbortSignal) => AsyncGenerator<AudioChunk, void>

/** Speaks sentences in order. The voice starts the next sentence while the current one is read, so that there is no gap. */
export async function* speakSentences(
  sentences: AsyncIterable<string>,
  speak: Speak,
  signal: AbortSignal,
): AsyncGenerator<SpokenSentence, void> {
  const iterator = sentences[Symbol.asyncIterator]()
  let ahead: AsyncGenerator<AudioChunk, void> | undefined
  const start = async (): Promise<SpokenSentence | undefined> => {
    const { done, value } = await iterator.next()
    if (done) return undefined
    signal.throwIfAborted()
    ahead = speak(value, signal)
    return { text: value, chunks: startAhead(ahead) }
  }
  let next = start()
  try {
    for (;;) {
      const current = await next
      if (!current) return
      next = start()
      // It may fail while the current sentence is read. The loop then throws its error; until then it would be unhandled.
      next.catch(() => {})
      yield current
    }
  } finally {
    // A reader that leaves early does not read the sentence that was started ahead, so nobody else frees its encoder.
    await ahead?.return()
  }
}

/** Requests the first chunk at once. */
function startAhead(chunks: AsyncGenerator<AudioChunk, void>): AsyncIterable<AudioChunk> {
  const first = chunks.next()
  first.catch(() => {})
  return (async function* () {
    try {
      for (let chunk = await first; !chunk.done; chunk = await chunks.next()) yield chunk.value
    } finally {
      await chunks.return()
    }
  })()
}
