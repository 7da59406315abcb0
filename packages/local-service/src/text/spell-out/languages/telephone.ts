import {
  digitsOf,
  groupsOfTelephone,
  isDateOrRange,
  isPartOfTelephone,
  minTelephoneDigits,
} from '../telephone-groups.ts'
import type { Language, LanguageRule } from './language.ts'
import { readAmount, spellDigits } from './numbers.ts'
import { symbolOf } from './units.ts'

/** Telephone numbers, which begin with 0 or +, and digits after words such as "PIN". */
export const spellTelephone: LanguageRule = ({ language, words, before }) => {
  const [word = ''] = words
  if (/^\d{2,8}$/.test(word) && language.codes.test(before)) return [spellDigits(language, word)]
  const groups = groupsOfTelephone(words, (next, second) => isAmountBefore(language, next, second))
  const digits = digitsOf(groups)
  // "600 - 800 000"
  const isRange = groups.includes('-') && digits.endsWith('00')
  const isMobile = groups.length > 1 && language.telephone?.test(digits) && !isRange
  const isCalled = /^(?:t[eé]l(?:[eé]fono|éphone|efon|efono)?|numéro|numero|número|nummer)$/i.test(
    before,
  )
  if (digits.length < minTelephoneDigits) return undefined
  if (!isMobile && !(/^(?:\+\d|0\d|\(0)/.test(word) || (isCalled && /^\d/.test(word))))
    return undefined
  if (isDateOrRange(groups)) return undefined
  return groups.map((one, index) => {
    if (one === '-') return ''
    const plus = one.startsWith('+') ? `${language.signs['+']} ` : ''
    const isPair = language.readsPairs && /^\+?\d{2}$/.test(one)
    const spoken = plus + (isPair ? spellPair(language, one) : spellDigits(language, one))
    return index < groups.length - 1 ? `${spoken},` : spoken
  })
}

/** "24 Stunden", "9 bis 17" */
function isAmountBefore(language: Language, next: string, second: string): boolean {
  const isUnit = symbolOf(language, next) !== undefined || language.afterTime.test(next)
  return isUnit || (next === language.words.to && /^\d/.test(second))
}

/** Whether the texts end in a telephone number. Its first groups may be missing, because only a few words are known. */
export function endsInTelephone(language: Language, texts: readonly string[]): boolean {
  const groups = texts.slice(texts.findLastIndex((text) => !isPartOfTelephone(text)) + 1)
  const digits = digitsOf(groups)
  if (digits.length < minTelephoneDigits || isDateOrRange(groups)) return false
  const last = digitsOf(groups.slice(groups.findLastIndex((group) => !/\d/.test(group)) + 1))
  // "030 123456 - 9 - 17 Uhr"
  if (last.length <= 2 && digits.length - last.length >= minTelephoneDigits) return false
  const isAmount = readAmount(groups)?.length === groups.length
  return !isAmount || /^\+?0/.test(groups[0]!) || language.telephone?.test(digits) === true
}

function spellPair(language: Language, pair: string): string {
  return pair.startsWith('0')
    ? spellDigits(language, pair)
    : language.cardinal(Number(pair.slice(-2)))
}
