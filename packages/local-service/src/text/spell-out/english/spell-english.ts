import {
  isLast,
  type Rule,
  readWord,
  type SpelledWord,
  type Word,
  type WordPlace,
} from '../word.ts'
import { acronymRule, romanRule, spellAbbreviation, splitAbbreviation } from './abbreviations.ts'
import { addressRule } from './addresses.ts'
import { dateRule, spellDayOrMonth } from './dates.ts'
import { spellMarkedLength } from './inches.ts'
import { moneyRule } from './money.ts'
import { numbersInWords } from './number-words.ts'
import { mixedFractionRule, numberRule } from './numbers.ts'
import { symbolRule } from './symbols.ts'
import { digitRule } from './telephone.ts'
import { timeRule } from './times.ts'
import { unitRule } from './units.ts'

export interface SpellEnglishOptions {
  /** Whether 5/4 is the fifth of April, as in Britain, or the fourth of May. */
  dayFirst: boolean
  /** The text before, if a sentence had to be cut: not returned, but its words count. */
  before?: string
  /** How the voice writes the letter A, which it would read as the article. Default: "ay". */
  letterA?: string
}

// A word belongs to the first rule that knows it: "1.2.2026" is a date and could be a version.
const rules: readonly Rule[] = [
  dateRule,
  timeRule,
  digitRule,
  mixedFractionRule,
  moneyRule,
  addressRule,
  unitRule,
  numberRule,
  romanRule,
  acronymRule,
  symbolRule,
]

/** The letter, which would be read as the article: "U A one", "four A". */
const singleA = /(?<=\S )A(?! [A-Z]\b)(?![\w',.])|^A(?= \w{2})/g

/** Longer words mean nothing, and would delay the first sound. */
const maxWordCharacters = 500

/** How many words after a word may change how it is spoken: the groups of a telephone number. */
const wordsAhead = 12

/**
 * Spells out what an English voice would misread: numbers, units, dates, times, money, addresses, abbreviations and symbols. Every
 * word is then spoken the same, wherever the text around it is cut. Takes linear time, and reads only a few words ahead.
 * @param text a sentence, because no word depends on those of another one.
 * @returns each word of the text. The words around a word may change how it is spoken, but every word keeps its place.
 */
export function* spellEnglish(
  text: string,
  options: SpellEnglishOptions,
): Generator<SpelledWord, void> {
  const { dayFirst, before = '', letterA = 'ay' } = options
  const words = wordsOf(before).slice(-wordsAhead)
  const following = text.matchAll(/\S+/g)
  const isCapital = !/[a-z]/.test(before) && !/[a-z]/.test(text)
  for (let index = words.length; ; index++) {
    while (words.length <= index + wordsAhead) {
      const next = following.next()
      if (next.done) break
      words.push(...readParts(next.value[0]))
    }
    const word = words[index]
    if (!word) return
    const { written } = word
    if (written.length > maxWordCharacters) {
      yield { written, spoken: written }
      continue
    }
    let spelled = spellWord({ words, index, dayFirst, isCapital })
    if (words[index + 1]?.written === '') {
      index += 1
      spelled += ` ${spellWord({ words, index, dayFirst, isCapital })}`
    }
    yield { written, spoken: numbersInWords(spelled).replace(singleA, letterA) }
  }
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g), ([written]) => readParts(written)).flat()
}

function readParts(written: string): readonly Word[] {
  return written.length > maxWordCharacters
    ? [readWord(written)]
    : splitAbbreviation(readWord(written))
}

function spellWord(place: WordPlace): string {
  const { words, index } = place
  const { before, text, after } = words[index]!
  const abbreviation = spellAbbreviation(text, place) ?? spellDayOrMonth(text, place)
  if (abbreviation !== undefined) {
    return before + abbreviation + (isLast(place) ? after : after.replace('.', ''))
  }
  const length = spellMarkedLength(text, place)
  if (length !== undefined) return length + after.slice(1)
  for (const rule of rules) {
    const spoken = rule(text, place)
    if (spoken !== undefined) return spoken === '' ? '' : before + spoken + after
  }
  return before + text + after
}
