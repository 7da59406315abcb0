import type { ProgramUtterance } from '../process/program.ts'
import { runRecogniserProgram } from '../process/program.ts'
import type { RecognisedUtterance } from '../recogniser.ts'
import type { PocketsphinxFiles } from './find-pocketsphinx.ts'
import { isNoisy } from './noise.ts'
import { type Decoder, openPocketsphinx } from './open-pocketsphinx.ts'
import { createSentenceMatcher, type SentenceMatcher } from './sentence-matcher.ts'

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
 * Recognises the samples again, with the sentences only, which takes a hundredth of their duration. Any words come first
 * because they take ten times as long, so most of that work is done while the person speaks.
 */
async function matchSentence(
  decoder: Decoder,
  matcher: SentenceMatcher,
  free: RecognisedUtterance,
  pieces: readonly Int16Array[],
): Promise<RecognisedUtterance> {
  decoder.setSentences(matcher.graph)
  decoder.start('sentences')
  for (const samples of pieces) await decoder.process(samples)
  await decoder.end()
  const { distance, ...sentenceMatch } = matcher.match(decoder.text, free.text)
  if (sentenceMatch.sentence === null) {
    const reason = isNoisy(pieces) ? 'noise' : 'different'
    return { ...free, sentenceMatch: { ...sentenceMatch, reason } }
  }
  const words = free.words && decoder.readWords().map(({ confidence, ...word }) => word)
  return {
    text: decoder.text,
    confidence: 1 - distance,
    ...(words && { words }),
    sentenceMatch,
  }
}
