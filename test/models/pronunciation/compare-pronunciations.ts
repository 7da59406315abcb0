import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { spellOutEnglish } from '../../../packages/local-service/src/engines/english-text.ts'

/** What the reference phonemiser makes of each sentence of homes: lines of its spelled text, a tab, and its sounds. */
export const recordedFile = fileURLToPath(new URL('pronunciations.tsv', import.meta.url))

export interface Pronunciation {
  text: string
  sounds: string
}

export function readPronunciations(): Pronunciation[] {
  const lines = readFileSync(recordedFile, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [text = '', sounds = ''] = line.split('\t')
    return { text, sounds }
  })
}

export function writePronunciations(pronunciations: readonly Pronunciation[]): string {
  return pronunciations.map(({ text, sounds }) => `${text}\t${sounds}\n`).join('')
}

/** The texts that Heart's phonemiser gets for these sentences: numbers and abbreviations in words. */
export function spellOutForHeart(sentence: string): string {
  const words = spellOutEnglish(sentence, { dayFirst: false, before: '', letterA: 'eh' })
  return Array.from(words, ({ spoken }) => spoken)
    .filter((spoken) => spoken !== '')
    .join(' ')
}

/**
 * Words that Heart says differently on purpose: names, words that sound in two ways, the letter A, and "the" before those of
 * them that begin with a vowel for one of the two.
 */
const betterWords: ReadonlySet<string> = new Set(
  `a the aisha aqara beyonce calle chloe deshawn dvorak ecobee fritz!box fyrtur giovanni hauptstrasse ibrahim ikea joaquin
  jurgen kaitlyn koln konigsallee mateusz miele nanoleaf nas nguyen o'neill olga priya rivoli sean siobhan sonos tradfri
  xavier xiaomi zoe`.split(/\s+/),
)

/** A word that two phonemisers say differently. */
export interface Difference {
  word: string
  ours: string
  reference: string
}

export interface Comparison {
  words: number
  /** Words that Heart says better. */
  better: Difference[]
  /** All other words. */
  differences: Difference[]
}

/** Compares the words of texts. @param phonemize the sounds of each word of a text. */
export function compareWords(
  recorded: readonly Pronunciation[],
  phonemize: (text: string) => readonly string[],
): Comparison {
  const comparison: Comparison = { words: 0, better: [], differences: [] }
  for (const { text, sounds } of recorded) {
    const ours = phonemize(text).map((word) => word.replaceAll(' ', '_'))
    const reference = sounds.split(' ')
    const words = text.split(' ')
    comparison.words += words.length
    words.forEach((word, index) => {
      const pair = { ours: ours[index] ?? '', reference: reference[index] ?? '' }
      if (pair.ours === pair.reference) return
      const plain = word.toLowerCase().replace(/[^a-z!']|'s\b/g, '')
      comparison[betterWords.has(plain) ? 'better' : 'differences'].push({ word, ...pair })
    })
  }
  return comparison
}
