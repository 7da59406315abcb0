import type { ProgramUtterance } from '../process/run-recogniser.ts'
import { type RecognisedUtterance, recogniserRateHertz } from '../recogniser.ts'
import type { DecoderPool } from './decoder-pool.ts'
import type { PocketsphinxDecoder } from './pocketsphinx-decoder.ts'
import type { SearchQueue } from './search-queue.ts'

/** A request of the recogniser for any words. */
export interface WordsRequest {
  withWords: boolean
  withInterim: boolean
  isUrgent?: boolean
}

// Of readers and of prompts, 20 % of the words are wrong with two seconds, 22 % with one, and 35 % with none.
const measuredSeconds = 2
// At the end of a shorter turn, somebody waits for the second search.
const urgentMeasuredSeconds = 1

/**
 * Recognises any words while they are spoken. The beginning is searched after the voice and the microphone were measured in it;
 * before that only for interim results, and not by a pool of quick decoders. What a decoder has measured in other utterances is
 * not used, because the text of a recording must not depend on earlier recordings.
 */
export async function openWords(
  { withWords, withInterim, isUrgent }: WordsRequest,
  pool: DecoderPool,
  queue: SearchQueue,
): Promise<ProgramUtterance> {
  const decoder = await pool.acquire()
  const searchesTwice = withInterim && !pool.isQuick
  const beginning: Int16Array[] = []
  let unmeasuredSamples = recogniserRateHertz * (isUrgent ? urgentMeasuredSeconds : measuredSeconds)
  let isAwaited = false
  let isOver = false
  const run = (search: () => Promise<void>) => queue.run(search, () => isAwaited)
  const process = (samples: Int16Array) => run(() => decoder.process(samples))
  /** Ends the utterance once. */
  const finish = async <Result>(read: () => Result): Promise<Result> => {
    isOver = true
    try {
      await run(decoder.end)
      const result = read()
      pool.release(decoder)
      return result
    } catch (error) {
      pool.discard(decoder)
      throw error
    }
  }
  const searchMeasured = async () => {
    unmeasuredSamples = 0
    await run(decoder.end)
    decoder.start('words', decoder.mean)
    for (const samples of beginning.splice(0)) await process(samples)
  }
  try {
    decoder.start(searchesTwice ? 'words' : 'measurement')
  } catch (error) {
    pool.discard(decoder)
    throw error
  }
  return {
    async write(samples) {
      if (unmeasuredSamples > 0) {
        const measured = samples.subarray(0, unmeasuredSamples)
        beginning.push(samples)
        await process(measured)
        unmeasuredSamples -= measured.length
        if (unmeasuredSamples === 0) await searchMeasured()
      } else await process(samples)
      const hasText = searchesTwice || unmeasuredSamples === 0
      return withInterim && hasText ? decoder.text : undefined
    },
    async end() {
      if (unmeasuredSamples > 0) await searchMeasured()
      return finish(() => readResult(decoder, withWords))
    },
    hurry() {
      // A recording ends as soon as it has arrived, and its long search would delay everybody who speaks.
      isAwaited = withInterim
    },
    async cancel() {
      // After an end that failed, there is no decoder any more.
      if (!isOver) await finish(() => {})
    },
  }
}

export function readResult(decoder: PocketsphinxDecoder, withWords: boolean): RecognisedUtterance {
  const words = decoder.readWords()
  const confidence = words.reduce((lowest, word) => Math.min(lowest, word.confidence ?? 1), 1)
  return {
    text: decoder.text,
    ...(words.length > 0 && { confidence }),
    ...(withWords && { words }),
  }
}
