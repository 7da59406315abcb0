import { createSentenceCutter } from '@parlando/core/text'
import { createAsyncQueue } from '../../concurrency/async-queue.ts'
import type { AudioChunk } from '../../speaking/synthesize.ts'
import type { Pacer } from './pacer.ts'
import type { ResponseOutput } from './response-output.ts'

/** Speaks a text. The work starts with the first `next()`. */
export type Speak = (text: string, signal: AbortSignal) => AsyncGenerator<AudioChunk, void>

/** The speech of this much text takes longer than a model needs to write the rest of the sentence. */
const openingCharacters = 18

interface SpeechOptions<End> {
  speak: Speak
  /** Writes the text of the response. */
  write(onText: (text: string) => void): Promise<End>
  output: ResponseOutput
  pacer: Pacer
  signal: AbortSignal
}

/** Speaks each sentence while the model writes the next ones. @returns what `write` returns. */
export async function respondInSpeech<End>(options: SpeechOptions<End>): Promise<End> {
  const { write, output, pacer, signal } = options
  const cutter = createSentenceCutter({ openingCharacters })
  const sentences = createAsyncQueue<string>()
  const push = (texts: string[]) => texts.forEach(sentences.push)
  const writing = write((text) => push(cutter.push(text)))
  writing.then(() => {
    push(cutter.end())
    sentences.end()
  }, sentences.fail)
  for await (const { text, chunks } of speakSentences(sentences, options.speak, signal)) {
    let isFirst = true
    for await (const { audio, durationSeconds } of chunks) {
      const durationMs = durationSeconds * 1000
      await pacer.admit(durationMs)
      if (isFirst) output.addSentence(text)
      isFirst = false
      await output.addAudio(audio, durationMs)
    }
    signal.throwIfAborted()
    if (isFirst) output.addSentence(text)
  }
  return writing
}

/** A sentence of a response and its sound. */
interface SpokenSentence {
  text: string
  /** Empty if there is nothing to speak. */
  chunks: AsyncIterable<AudioChunk>
}

/** Speaks sentences in order. The voice starts the next sentence while the current one is read, so that there is no gap. */
async function* speakSentences(
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
