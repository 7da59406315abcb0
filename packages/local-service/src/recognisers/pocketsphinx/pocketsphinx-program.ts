import { joinPcm } from '../../audio/signal.ts'
import type { ProgramUtterance } from '../process/run-recogniser.ts'
import { runRecogniserProgram } from '../process/run-recogniser.ts'
import { type RecognisedUtterance, recogniserRateHertz, type SentenceMatch } from '../recogniser.ts'
import type { PocketsphinxFiles } from './find-pocketsphinx.ts'
import { isNoisy } from './noise.ts'
import {
  createSentenceDecoder,
  createWordDecoder,
  type Decoder,
  type Search,
  urgentSettings,
} from './pocketsphinx-decoder.ts'
import { loadPocketsphinx } from './pocketsphinx-library.ts'
import { createSentenceMatcher, type Recognised, type SentenceMatcher } from './sentence-matcher.ts'

/** A request of the recogniser to this program. */
export interface PocketsphinxUtterance {
  withWords: boolean
  withInterim: boolean
  isUrgent?: boolean
  sentences?: readonly string[]
}

/** Decoders for one kind of search. The parent limits the number of concurrent utterances, and so of decoders. */
interface Pool {
  acquire(): Decoder
  release(decoder: Decoder): void
}

// Of readers and of prompts, 20 % of the words are wrong with two seconds, 22 % with one, and 35 % with none.
const measuredSeconds = 2
// At the end of a shorter turn, somebody waits for the second search.
const urgentMeasuredSeconds = 1

const [filesText = ''] = process.argv.slice(2)

await runRecogniserProgram<undefined, PocketsphinxUtterance>(async () => {
  const files = JSON.parse(filesText) as PocketsphinxFiles
  const library = loadPocketsphinx(files)
  const words = createPool(() => createWordDecoder(library, files.model))
  const urgentWords = createPool(() => createWordDecoder(library, files.model, urgentSettings))
  const sentences = createPool(() => createSentenceDecoder(library, files.model))
  return {
    info: undefined,
    open: (start) =>
      start.sentences
        ? openSentences(start.sentences, start, sentences, words)
        : openWords(start, start.isUrgent ? urgentWords : words),
  }
})

function createPool(create: () => Decoder): Pool {
  const idle: Decoder[] = []
  return {
    acquire: () => idle.pop() ?? create(),
    release: (decoder) => void idle.push(decoder),
  }
}

/**
 * Recognises any words while they are spoken. The beginning is searched twice: the first search measures the voice and the
 * microphone. What a decoder has measured in other utterances is not used, because the text of a recording must not depend on
 * earlier recordings.
 */
function openWords(
  { withWords, withInterim, isUrgent }: PocketsphinxUtterance,
  pool: Pool,
): ProgramUtterance {
  const decoder = pool.acquire()
  const beginning: Int16Array[] = []
  let unmeasuredSamples = recogniserRateHertz * (isUrgent ? urgentMeasuredSeconds : measuredSeconds)
  let isOver = false
  /** Ends the utterance once. A decoder that fails is closed, because it would also reject the next utterance. */
  const finish = async <Result>(read: () => Result): Promise<Result> => {
    isOver = true
    try {
      await decoder.end()
      const result = read()
      pool.release(decoder)
      return result
    } catch (error) {
      decoder.close()
      throw error
    }
  }
  const searchAgain = async () => {
    unmeasuredSamples = 0
    await decoder.end()
    decoder.start('words', decoder.mean)
    for (const samples of beginning.splice(0)) await decoder.process(samples)
  }
  try {
    decoder.start('words')
  } catch (error) {
    decoder.close()
    throw error
  }
  return {
    async write(samples) {
      if (unmeasuredSamples > 0) {
        const measured = samples.subarray(0, unmeasuredSamples)
        beginning.push(samples)
        await decoder.process(measured)
        unmeasuredSamples -= measured.length
        if (unmeasuredSamples === 0) await searchAgain()
      } else await decoder.process(samples)
      return withInterim ? decoder.text : undefined
    },
    async end() {
      if (unmeasuredSamples > 0) await searchAgain()
      return finish(() => readResult(decoder, withWords))
    },
    async cancel() {
      // After an end that failed, there is no decoder any more.
      if (!isOver) await finish(() => {})
    },
  }
}

/**
 * Keeps the samples and searches them after their end. Any words take several times as long as the sentences, so they are
 * recognised only for interim results, and if none of the sentences was said.
 */
function openSentences(
  sentences: readonly string[],
  request: PocketsphinxUtterance,
  pool: Pool,
  wordPool: Pool,
): ProgramUtterance {
  const decoder = pool.acquire()
  const pieces: Int16Array[] = []
  let matcher: SentenceMatcher
  let interim: ProgramUtterance | undefined
  try {
    matcher = createSentenceMatcher(sentences, decoder.lookUp)
    interim = request.withInterim ? openWords(request, wordPool) : undefined
  } catch (error) {
    pool.release(decoder)
    throw error
  }
  return {
    write(samples) {
      pieces.push(samples)
      return interim?.write(samples)
    },
    async end() {
      const samples = joinPcm(pieces)
      const matched = await matchSentence(decoder, matcher, samples, request.withWords)
      if (matched?.sentenceMatch.sentence) {
        await interim?.cancel()
        pool.release(decoder)
        return matched
      }
      const words = interim ? await interim.end() : await recogniseWords(request, wordPool, samples)
      pool.release(decoder)
      const nearest = matched?.sentenceMatch.nearest ?? matcher.nearest(words.text)
      const reason = isNoisy(pieces) ? 'noise' : matched ? undefined : 'different'
      return { ...words, sentenceMatch: { sentence: null, nearest, reason } }
    },
    async cancel() {
      pool.release(decoder)
      await interim?.cancel()
    },
  }
}

type MatchedUtterance = RecognisedUtterance & { sentenceMatch: SentenceMatch }

/** @returns undefined if none of the sentences was said. */
async function matchSentence(
  decoder: Decoder,
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

const nothing: Recognised = { text: '', score: 0 }

async function searchWhole(
  decoder: Decoder,
  search: Search,
  samples: Int16Array,
): Promise<Recognised> {
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
  pool: Pool,
  samples: Int16Array,
): Promise<RecognisedUtterance> {
  const decoder = pool.acquire()
  try {
    await searchWhole(decoder, 'words', samples)
    const result = readResult(decoder, withWords)
    pool.release(decoder)
    return result
  } catch (error) {
    decoder.close()
    throw error
  }
}

function readResult(decoder: Decoder, withWords: boolean): RecognisedUtterance {
  const words = decoder.readWords()
  const confidence = words.reduce((lowest, word) => Math.min(lowest, word.confidence ?? 1), 1)
  return {
    text: decoder.text,
    ...(words.length > 0 && { confidence }),
    ...(withWords && { words }),
  }
}
