import type { SentenceMatch } from '@parlando/core/wire'
import { UtteranceRequestError } from '../process/run-recogniser.ts'
import { findExtraSibilant, isVowel, phoneDistance } from './phone-distance.ts'
import { writeSentenceGraph } from './sentence-graph.ts'
import { toSpokenWords } from './spoken-words.ts'

/** What a decoder recognised, and how well the sounds and the words fit together. */
export interface ScoredText {
  text: string
  score: number
}

/** The sentences of a request, prepared for a decoder. */
export interface SentenceMatcher {
  /** The graph of the sentences, as the decoder loads it. */
  graph: string
  /** @returns the graph of all sentences except the found one; `undefined` if there is no other. */
  graphWithout(found: string): string | undefined
  /**
   * Decides whether one of the sentences was said.
   * @returns the sentence; or the two nearest if they sound too similar; `undefined` if something else was said.
   */
  match(utterance: SearchedUtterance): (SentenceMatch & { confidence: number }) | undefined
  /** @returns the most similar sentences to a text, the nearest first. */
  nearest(text: string): string[]
}

/** The results of three searches in the same samples. */
export interface SearchedUtterance {
  /** The result with the sentences only. The search finds one of them in nearly every speech. */
  found: ScoredText
  /** The result with the sentences except the found one. */
  rival: ScoredText
  /** How well the samples fit the sounds of the language in any order. */
  soundsScore: number
  /** The length of the samples. */
  frames: number
}

// How far the sentence must fit better than any sounds, for each frame of 10 ms. Commands do by 9 to 30, in
// noise by less. Other speech hardly ever does.
const minAdvantage = 5
const clearAdvantage = 20
// Sentences that differ in one or two sounds, such as "bedroom" and "bathroom", are confused only with a lower lead: of 288 times
// "on" and "off", with up to 104.
const minLead = 120
// The end of a T sounds like an S, so "dim the light" is sometimes found as "dim the lights", with a lead of up to 256; "light on"
// of some voices as "lights on", with up to 318. Of 384 times "lights", 26 had a lower lead, and none was found as "light".
const minLeadOfSibilant = 300
const minLeadOfSibilantBeforeVowel = 400
const minLeadWithoutSibilant = 0
const maxNearest = 2
const maxUnknownWords = 10

/**
 * @param lookUp finds the sounds of a word.
 * @throws {UtteranceRequestError} that names the words that are not in the dictionary.
 */
export function createSentenceMatcher(
  sentences: readonly string[],
  lookUp: (word: string) => string | undefined,
): SentenceMatcher {
  const byText = readSentences(sentences, lookUp)
  const texts = [...byText.keys()]
  const phonesOf = (text: string): string[] =>
    text.split(' ').flatMap((word) => lookUp(word)?.split(' ') ?? [])

  return {
    graph: toGraph(texts),
    graphWithout(found) {
      const rivals = texts.filter((text) => text !== found)
      return rivals.length > 0 ? toGraph(rivals) : undefined
    },
    match({ found, rival, soundsScore, frames }) {
      const sentence = byText.get(found.text)
      const rivalSentence = byText.get(rival.text)
      const advantage = (found.score - soundsScore) / frames
      if (sentence === undefined || advantage < minAdvantage) return undefined
      const confidence = Math.min(1, advantage / clearAdvantage)
      if (rivalSentence === undefined) return { sentence, nearest: [], confidence }
      const wantedLead = leadToDistinguish(phonesOf(found.text), phonesOf(rival.text))
      if (found.score - rival.score >= wantedLead) return { sentence, nearest: [], confidence }
      return { sentence: null, nearest: [sentence, rivalSentence], confidence }
    },
    nearest(text) {
      const phones = phonesOf(text)
      return texts
        .map((one) => ({ one, distance: phoneDistance(phonesOf(one), phones) }))
        .sort((first, second) => first.distance - second.distance)
        .slice(0, maxNearest)
        .map(({ one }) => byText.get(one)!)
    },
  }
}

/** @returns by how much the first of two sentences must fit better, or they sound too similar. */
function leadToDistinguish(found: readonly string[], rival: readonly string[]): number {
  const missing = findExtraSibilant(rival, found)
  if (missing !== undefined && rival[missing - 1] === 'T') return minLeadWithoutSibilant
  const sibilant = findExtraSibilant(found, rival)
  if (sibilant === undefined) return minLead
  const next = found[sibilant + 1]
  return next && isVowel(next) ? minLeadOfSibilantBeforeVowel : minLeadOfSibilant
}

/** @returns the sentences by their words. Of several with the same words, the first. */
function readSentences(
  sentences: readonly string[],
  lookUp: (word: string) => string | undefined,
): Map<string, string> {
  const unknown = new Set<string>()
  const toKnownWords = (sentence: string): string[] =>
    toSpokenWords(sentence).flatMap((word) => {
      if (lookUp(word)) return [word]
      const parts = word.split(/[-.]+/)
      if (parts.length > 1 && parts.every(lookUp)) return parts
      unknown.add(word)
      return []
    })
  const known = sentences.map((sentence) => ({ sentence, words: toKnownWords(sentence) }))
  if (unknown.size > 0) throw new UtteranceRequestError(unknownWordsMessage([...unknown]))
  const spoken = known.filter(({ words }) => words.length > 0)
  if (spoken.length === 0)
    throw new UtteranceRequestError('sentences: none of them contains a word')
  return new Map(spoken.toReversed().map(({ sentence, words }) => [words.join(' '), sentence]))
}

function toGraph(texts: readonly string[]): string {
  return writeSentenceGraph(texts.map((text) => text.split(' ')))
}

function unknownWordsMessage(words: readonly string[]): string {
  const named = words.slice(0, maxUnknownWords).join(', ')
  const more = words.length > maxUnknownWords ? `, and ${words.length - maxUnknownWords} more` : ''
  return `sentences: the dictionary of pocketsphinx does not contain these words: ${named}${more}. Replace each with known words that sound the same`
}
