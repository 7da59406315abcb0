import { toSpokenWords } from '../../recognisers/pocketsphinx/spoken-words.ts'
import { StreamRequestError } from '../process/run-detector.ts'

/** A phrase that the dictionary contains. */
export interface KnownPhrase {
  /** The phrase as the caller has written it. */
  phrase: string
  /** The same words as the library writes them. */
  words: string
  /** How many sounds it has. */
  sounds: number
}

// A shorter one, such as "computer", is found in every conversation.
const minSounds = 5

/**
 * @param lookUp finds the sounds of a word, such as `D AO R`.
 * @throws {StreamRequestError} that names what is wrong with a phrase.
 */
export function readPhrases(
  phrases: readonly string[],
  lookUp: (word: string) => string | undefined,
): KnownPhrase[] {
  return phrases.map((phrase) => {
    const words = toSpokenWords(phrase)
    if (words.length === 0) throw new StreamRequestError(`phrases: "${phrase}" has no word`)
    const unknown = words.filter((word) => !lookUp(word))
    if (unknown.length > 0) {
      const message = `phrases: the dictionary of pocketsphinx does not contain these words: ${unknown.join(', ')}. Replace each with known words that sound the same`
      throw new StreamRequestError(message)
    }
    const sounds = words.flatMap((word) => lookUp(word)!.split(' ')).length
    if (sounds < minSounds) {
      const message = `phrases: "${phrase}" is too short to be told from other words; use one with three syllables or more, such as "hey computer"`
      throw new StreamRequestError(message)
    }
    return { phrase, words: words.join(' '), sounds }
  })
}

/** The phrases with their thresholds, one per line, as the library reads them. */
export function toKeyphraseList(phrases: readonly KnownPhrase[], sensitivity: number): string {
  const lines = phrases.map(({ words, sounds }) => `${words} /${toThreshold(sounds, sensitivity)}/`)
  return `${[...new Set(lines)].join('\n')}\n`
}

/** How much less likely than any sounds of the language the phrase may be, as a power of ten, for each of its sounds. */
const middlePower = 3
const powerRange = 2

function toThreshold(sounds: number, sensitivity: number): string {
  const power = sounds * (middlePower + powerRange * (sensitivity - 0.5))
  return `1e-${Math.round(power)}`
}

// The library reports the logarithm of the likelihood of the phrase, divided by that of any sounds, less this number.
const advantageOffset = 1500
const advantageScale = 400

/** @param advantage as the library reports it. @returns 0…1, 0.5 for a phrase that is as likely as any sounds. */
export function toScore(advantage: number): number {
  return 1 / (1 + Math.exp(-(advantage + advantageOffset) / advantageScale))
}
