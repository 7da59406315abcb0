import { acronymRule, romanRule, spellAbbreviation } from './abbreviations.ts'
import { addressRule } from './addresses.ts'
import { dateRule, spellDayOrMonth } from './dates.ts'
import { moneyRule } from './money.ts'
import { digitRule, numberRule } from './numbers.ts'
import { symbolRule } from './symbols.ts'
import { timeRule } from './times.ts'
import { unitRule } from './units.ts'
import { type Place, type Rule, readWord } from './word.ts'

/** A word of a text and what Flite reads instead; empty if the word is not spoken. */
export interface SpelledWord {
  written: string
  spoken: string
}

export interface SpellOutOptions {
  /** Whether 5/4 is the fifth of April, as in Britain, or the fourth of May. */
  dayFirst: boolean
}

// A word belongs to the first rule that knows it: "1.2.2026" is a date and could be a version.
const rules: readonly Rule[] = [
  dateRule,
  timeRule,
  digitRule,
  moneyRule,
  addressRule,
  unitRule,
  numberRule,
  romanRule,
  acronymRule,
  symbolRule,
]

/**
 * Spells out what Flite misreads: units, dates, times, money, addresses, abbreviations and symbols. It leaves what Flite
 * reads well, such as "1,234", "3.5" and "1984". Takes linear time.
 * @returns each word of the text. The words around a word may change how it is spoken, but every word keeps its place.
 */
export function spellOut(text: string, { dayFirst }: SpellOutOptions): SpelledWord[] {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(readWord)
  const isCapital = !/[a-z]/.test(text)
  return words.map(({ written }, index) => ({
    written,
    spoken: spellWord({ words, index, dayFirst, isCapital }),
  }))
}

function spellWord(place: Place): string {
  const { words, index } = place
  const { written, before, text, after } = words[index]!
  const abbreviation = spellAbbreviation(text, place) ?? spellDayOrMonth(text, place)
  if (abbreviation !== undefined) {
    const isLast = index === words.length - 1
    return before + abbreviation + (isLast ? after : after.replace('.', ''))
  }
  for (const rule of rules) {
    const spoken = rule(text, place)
    if (spoken !== undefined) return spoken === '' ? '' : before + spoken + after
  }
  return written
}
