import type { Gender, Language, LanguageRule } from './language.ts'
import { findUnit } from './units.ts'

/** A fraction at the start of some words. */
interface Fraction {
  /** Empty for "1/2". */
  whole: string
  /** A fraction such as `1/2`. */
  part: string
  /** What follows in the same word. */
  rest: string
  /** How many words it takes. */
  length: number
}

const characters: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
}
const part = /^(1\/[234]|2\/3|3\/4|[½⅓⅔¼¾])([^\d/].*)?$/s
const whole = /^(\d{1,3})(?:([½⅓⅔¼¾])([^\d/].*)?)?$/s

function readFraction([first = '', second = '']: readonly string[]): Fraction | undefined {
  const [, digits = '', attached = '', restOfWord = ''] = whole.exec(first) ?? []
  if (attached) return { whole: digits, part: characters[attached]!, rest: restOfWord, length: 1 }
  const [, found = '', rest = ''] = part.exec(digits ? second : first) ?? []
  if (found === '') return undefined
  return { whole: digits, part: characters[found] ?? found, rest, length: digits ? 2 : 1 }
}

/** "1/2 Liter", "½ h", "2 1/2 Tassen", "1½ h": fractions of a unit or a noun, and numbers with a fraction. */
export const spellFraction: LanguageRule = ({ language, words, before }) => {
  const found = readFraction(words)
  if (!found) return undefined
  const { rest, length } = found
  const noun = findNoun(language, found, words[length] ?? '')
  if (!noun && (rest !== '' || found.whole === '')) return undefined
  const { name, gender } = noun ?? { name: '', gender: undefined }
  const spoken = found.whole
    ? language.mixedNumber(Number(found.whole), found.part, name, gender)
    : language.fractionOf(found.part, name, gender, before)
  const spokenWords = length + (noun && rest === '' ? 1 : 0)
  return [spoken.trim(), ...Array<string>(spokenWords - 1).fill('')]
}

function findNoun(
  language: Language,
  { whole, rest }: Fraction,
  next: string,
): { name: string; gender: Gender | undefined } | undefined {
  const isSingular = whole === '' || (whole === '1' && language.isSingularWithFraction)
  const unit = findUnit(language, rest || next, isSingular)
  if (unit || rest !== '') return unit
  const gender = /^\p{L}{3,}/u.test(next) ? language.genderOf(next) : undefined
  return gender && { name: next, gender }
}
