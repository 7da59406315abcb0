import { InputError } from '../process/program.ts'
import type { SentenceMatch } from '../recogniser.ts'
import { phoneDistance } from './phone-distance.ts'
import { writeSentenceGraph } from './sentence-graph.ts'
import { toSpokenWords } from './spoken-words.ts'

/** What a decoder recognised, and how well the sounds and the words fit together. */
export interface Recognised {
  text: string
  score: number
}

/** The sentences of a request, prepared for a decoder. */
export interface SentenceMatcher {
  /** For the decoder. */
  graph: string
  /** @returns the graph of all sentences except the found one; `undefined` if there is no other. */
  graphWithout(found: string): string | undefined
  /**
   * Decides whether one of the sentences was said. The scores must be those of the same samples.
   * @param found what the decoder recognised when it could choose from the sentences only. It nearly always finds one.
   * @param rival what it recognised without the found sentence.
   * @param free what it recognised when it could choose from all words.
   */
  match(
    found: Recognised,
    rival: Recognised,
    free: Recognised,
  ): SentenceMatch & { distance: number }
}

// The grammar finds one of its sentences in any speech. Its choice counts only if the free recognition sounds similar
// and does not fit the samples better.
const maxDistance = 0.6
// Sentences that differ by one sound, such as "light off" and "lights off", lead each other by up to 300. Below this lead, the
// free recognition must sound more like the found sentence than like its rival.
const minLead = 400
const maxNearest = 2
const maxUnknownWords = 10

/**
 * @param lookUp finds the sounds of a word.
 * @throws {InputError} that names the words that are not in the dictionary.
 */
export function createSentenceMatcher(
  sentences: readonly string[],
  lookUp: (word: string) => string | undefined,
): SentenceMatcher {
  const unknown = new Set<string>()
  const toKnownWords = (sentence: string): string[] =>
    toSpokenWords(sentence).flatMap((word) => {
      if (lookUp(word)) return [word]
      const parts = word.split(/[-.]+/)
      if (parts.length > 1 && parts.every(lookUp)) return parts
      unknown.add(word)
      return []
    })
  const phonesOf = (text: string): string[] =>
    text.split(' ').flatMap((word) => lookUp(word)?.split(' ') ?? [])

  const known = sentences.map((sentence) => ({ sentence, words: toKnownWords(sentence) }))
  if (unknown.size > 0) throw new InputError(unknownWordsMessage([...unknown]))
  const spoken = known.filter(({ words }) => words.length > 0)
  if (spoken.length === 0) throw new InputError('sentences: none of them contains a word')
  const byText = new Map(
    spoken.toReversed().map(({ sentence, words }) => [words.join(' '), sentence]),
  )
  const withPhones = [...byText].map(([text, sentence]) => ({ sentence, phones: phonesOf(text) }))

  return {
    graph: toGraph([...byText.keys()]),
    graphWithout(found) {
      const rivals = [...byText.keys()].filter((text) => text !== found)
      return rivals.length > 0 ? toGraph(rivals) : undefined
    },
    match(found, rival, free) {
      const freePhones = phonesOf(free.text)
      const distance = phoneDistance(phonesOf(found.text), freePhones)
      const sentence = byText.get(found.text)
      const isSaid = sentence !== undefined && distance <= maxDistance && found.score >= free.score
      const rivalSentence = byText.get(rival.text)
      if (isSaid && rivalSentence !== undefined && found.score - rival.score < minLead) {
        const rivalDistance = phoneDistance(phonesOf(rival.text), freePhones)
        if (distance >= rivalDistance || found.score < rival.score) {
          return { sentence: null, nearest: [sentence, rivalSentence], distance }
        }
      }
      if (isSaid) return { sentence, nearest: [], distance }
      const ranked = withPhones
        .map(({ sentence, phones }) => ({ sentence, distance: phoneDistance(phones, freePhones) }))
        .sort((first, second) => first.distance - second.distance)
      const nearest = ranked.slice(0, maxNearest).map(({ sentence }) => sentence)
      return { sentence: null, nearest, reason: 'different', distance }
    },
  }
}

function toGraph(texts: readonly string[]): string {
  return writeSentenceGraph(texts.map((text) => text.split(' ')))
}

function unknownWordsMessage(words: readonly string[]): string {
  const named = words.slice(0, maxUnknownWords).join(', ')
  const more = words.length > maxUnknownWords ? `, and ${words.length - maxUnknownWords} more` : ''
  return `sentences: the dictionary of pocketsphinx does not contain these words: ${named}${more}. Replace each with known words that sound the same`
}
