import type { SentenceMatch } from '@parlando/core/wire'
import { joinPcm, quantile } from '../../audio/signal.ts'
import { createMutex } from '../../concurrency/slots.ts'
import { type ProgramUtterance, runRecogniserProgram } from '../process/run-recogniser.ts'
import { type RecognisedUtterance, recogniserRateHertz } from '../recogniser.ts'
import { createDecoderPool, type DecoderPool } from './decoder-pool.ts'
import type { PocketsphinxFiles } from './find-pocketsphinx.ts'
import { openWords, readResult, type WordsRequest } from './open-words.ts'
import {
  createSentenceDecoder,
  createWordDecoder,
  type PocketsphinxDecoder,
  type Search,
} from './pocketsphinx-decoder.ts'
import { loadPocketsphinx } from './pocketsphinx-library.ts'
import { createSearchQueue, type SearchQueue } from './search-queue.ts'
import { createSentenceMatcher, type ScoredText, type SentenceMatcher } from './sentence-matcher.ts'
import { writeWordDictionary } from './word-dictionary.ts'
import { createWordPools } from './word-pools.ts'

/** A request of the recogniser to this program. */
export interface PocketsphinxUtterance extends WordsRequest {
  sentences?: readonly string[]
}

const [filesText = ''] = process.argv.slice(2)

await runRecogniserProgram<undefined, PocketsphinxUtterance>(async () => {
  const files = JSON.parse(filesText) as PocketsphinxFiles
  const library = loadPocketsphinx(files)
  // A decoder takes a third of a second of a core. Several at a time would take the threads that running utterances need.
  const oneAtATime = createMutex()
  let dictionary: string | undefined
  const words = createWordPools((settings) =>
    oneAtATime(() => {
      dictionary ??= writeWordDictionary(library, files.model)
      return createWordDecoder(library, files.model, { '-dict': dictionary, ...settings })
    }),
  )
  const sentences = createDecoderPool(() =>
    oneAtATime(() => createSentenceDecoder(library, files.model)),
  )
  const queue = createSearchQueue()
  return {
    info: undefined,
    open(start) {
      const wordPool = words.choose(start)
      return start.sentences
        ? openSentences(start.sentences, start, sentences, wordPool, queue)
        : openWords(start, wordPool, queue)
    },
  }
})

/**
 * Keeps the samples and searches them after their end. Any words take several times as long as the sentences, so they are
 * recognised only for interim results, and if none of the sentences was said.
 */
async function openSentences(
  sentences: readonly string[],
  request: PocketsphinxUtterance,
  pool: DecoderPool,
  wordPool: DecoderPool,
  queue: SearchQueue,
): Promise<ProgramUtterance> {
  const decoder = await pool.acquire()
  const pieces: Int16Array[] = []
  let matcher: SentenceMatcher
  let interim: ProgramUtterance | undefined
  try {
    matcher = createSentenceMatcher(sentences, decoder.lookUp)
    interim = request.withInterim ? await openWords(request, wordPool, queue) : undefined
  } catch (error) {
    pool.release(decoder)
    throw error
  }
  let isOver = false
  const read = async (): Promise<RecognisedUtterance> => {
    const samples = joinPcm(pieces)
    const matched = await matchSentence(decoder, matcher, samples, request.withWords)
    if (matched?.sentenceMatch.sentence) {
      await interim?.cancel()
      return matched
    }
    const words = interim ? await interim.end() : await recogniseWords(request, wordPool, samples)
    const nearest = matched?.sentenceMatch.nearest ?? matcher.nearest(words.text)
    const reason = isNoisy(pieces) ? 'noise' : matched ? undefined : 'different'
    return { ...words, sentenceMatch: { sentence: null, nearest, reason } }
  }
  return {
    write(samples) {
      pieces.push(samples)
      return interim?.write(samples)
    },
    async end() {
      isOver = true
      try {
        const result = await read()
        pool.release(decoder)
        return result
      } catch (error) {
        pool.discard(decoder)
        throw error
      }
    },
    hurry: () => interim?.hurry?.(),
    async cancel() {
      if (!isOver) pool.release(decoder)
      isOver = true
      await interim?.cancel()
    },
  }
}

type MatchedUtterance = RecognisedUtterance & { sentenceMatch: SentenceMatch }

/** @returns undefined if none of the sentences was said. */
async function matchSentence(
  decoder: PocketsphinxDecoder,
  matcher: SentenceMatcher,
  samples: Int16Array,
  withWords: boolean,
): Promise<MatchedUtterance | undefined> {
  const search = (graph: string) => {
    decoder.setSentences(graph)
    return searchWhole(decoder, 'sentences', samples)
  }
  const found = await search(matcher.graph)
  const { frames } = decoder
  const words = withWords && decoder.readWords().map(({ confidence, ...word }) => word)
  const { score: soundsScore } = await searchWhole(decoder, 'sounds', samples)
  const rivals = matcher.graphWithout(found.text)
  const rival = rivals ? await search(rivals) : nothing
  const match = matcher.match({ found, rival, soundsScore, frames })
  if (!match) return undefined
  const { confidence, ...sentenceMatch } = match
  return { text: found.text, confidence, ...(words && { words }), sentenceMatch }
}

const nothing: ScoredText = { text: '', score: 0 }

async function searchWhole(
  decoder: PocketsphinxDecoder,
  search: Search,
  samples: Int16Array,
): Promise<ScoredText> {
  decoder.start(search)
  try {
    await decoder.processWhole(samples)
  } finally {
    await decoder.end()
  }
  const { text, score } = decoder
  return { text, score }
}

async function recogniseWords(
  { withWords }: PocketsphinxUtterance,
  pool: DecoderPool,
  samples: Int16Array,
): Promise<RecognisedUtterance> {
  const decoder = await pool.acquire()
  try {
    await searchWhole(decoder, 'words', samples)
    const result = readResult(decoder, withWords)
    pool.release(decoder)
    return result
  } catch (error) {
    pool.discard(decoder)
    throw error
  }
}

const frameSamples = recogniserRateHertz / 50
// In a quiet room the difference is 25 dB and more. At 10 dB, pocketsphinx matches hardly any sentence.
const minSpeechOverNoiseDecibels = 18

/** Whether the speech is hardly louder than the pauses around it, so that no recogniser understands it. */
function isNoisy(pieces: readonly Int16Array[]): boolean {
  const levels = pieces.flatMap((piece) => frameLevels(piece))
  return quantile(levels, 0.9) - quantile(levels, 0.1) < minSpeechOverNoiseDecibels
}

function frameLevels(samples: Int16Array): number[] {
  return Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, frame) => {
    let sum = 1
    for (const sample of samples.subarray(frame * frameSamples, (frame + 1) * frameSamples)) {
      sum += sample * sample
    }
    return 10 * Math.log10(sum / frameSamples)
  })
}
