import { joinPcm } from '../../dsp/signal.ts'
import type { ProgramUtterance } from '../process/program.ts'
import { runRecogniserProgram } from '../process/program.ts'
import type { RecognisedUtterance } from '../recogniser.ts'
import type { PocketsphinxFiles } from './find-pocketsphinx.ts'
import { isNoisy } from './noise.ts'
import { type Decoder, openPocketsphinx } from './open-pocketsphinx.ts'
import { createSentenceMatcher, type Recognised, type SentenceMatcher } from './sentence-matcher.ts'

/** A request of the recogniser to this program. */
export interface PocketsphinxUtterance {
  withWords: boolean
  withInterim: boolean
  sentences?: readonly string[]
}

const [filesText = ''] = process.argv.slice(2)

await runRecogniserProgram<undefined, PocketsphinxUtterance>(async () => {
  const createDecoder = openPocketsphinx(JSON.parse(filesText) as PocketsphinxFiles)
  // The parent limits the number of concurrent utterances, and so of decoders.
  const idle = [createDecoder()]
  return {
    info: undefined,
    open(start) {
      const decoder = idle.pop() ?? createDecoder()
      try {
        return openUtterance(decoder, start, () => idle.push(decoder))
      } catch (error) {
        idle.push(decoder)
        throw error
      }
    },
  }
})

function openUtterance(
  decoder: Decoder,
  { withWords, withInterim, sentences }: PocketsphinxUtterance,
  release: () => void,
): ProgramUtterance {
  const matcher = sentences && createSentenceMatcher(sentences, (word) => decoder.lookUp(word))
  const pieces: Int16Array[] = []
  decoder.start('any-words')
  return {
    async write(samples) {
      if (matcher) pieces.push(samples)
      await decoder.process(samples)
      return withInterim ? decoder.text : undefined
    },
    async end() {
      await decoder.end()
      const result = readResult(decoder, withWords)
      const matched = matcher && (await matchSentence(decoder, matcher, result, pieces))
      release()
      return matched ?? result
    },
    async cancel() {
      await decoder.end()
      release()
    },
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

/**
 * Recognises the samples again, with the sentences only and then without the one that was found. Each time takes a
 * hundredth of their duration. Any words come first because they take ten times as long, so most of that work is done while
 * the person speaks.
 */
async function matchSentence(
  decoder: Decoder,
  matcher: SentenceMatcher,
  result: RecognisedUtterance,
  pieces: readonly Int16Array[],
): Promise<RecognisedUtterance> {
  const samples = joinPcm(pieces)
  const free = { text: result.text, score: decoder.score }
  const found = await recogniseGraph(decoder, matcher.graph, samples)
  const words = result.words && decoder.readWords().map(({ confidence, ...word }) => word)
  const rivals = matcher.graphWithout(found.text)
  const rival = rivals ? await recogniseGraph(decoder, rivals, samples) : nothing
  const { distance, ...sentenceMatch } = matcher.match(found, rival, free)
  if (sentenceMatch.sentence === null) {
    const reason = isNoisy(pieces) ? 'noise' : sentenceMatch.reason
    return { ...result, sentenceMatch: { ...sentenceMatch, reason } }
  }
  return { text: found.text, confidence: 1 - distance, ...(words && { words }), sentenceMatch }
}

const nothing: Recognised = { text: '', score: 0 }

async function recogniseGraph(
  decoder: Decoder,
  graph: string,
  samples: Int16Array,
): Promise<Recognised> {
  decoder.setSentences(graph)
  decoder.start('sentences')
  await decoder.processWhole(samples)
  await decoder.end()
  const { text, score } = decoder
  return { text, score }
}
