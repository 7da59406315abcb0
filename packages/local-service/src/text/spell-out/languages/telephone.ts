import { groupOfDigits, isDateOrRange, minTelephoneDigits } from '../telephone-groups.ts'
import { spellDigits } from './amounts.ts'
import type { Language, LanguageRule } from './language.ts'

/** Telephone numbers, which begin with 0 or +, and digits after words such as "PIN". */
export const spellTelephone: LanguageRule = ({ language, words, before }) => {
  const [word = ''] = words
  if (/^\d{2,8}$/.test(word) && language.codes.test(before)) return [spellDigits(language, word)]
  const groups = groupsOfTelephone(words)
  const digits = groups.join('').replace(/\D/g, '')
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

/** @returns the groups of digits at the start, and the dashes between them. */
function groupsOfTelephone(words: readonly string[]): readonly string[] {
  const isDash = (at: number) =>
    /^[-–]$/.test(words[at] ?? '') && groupOfDigits.test(words[at + 1] ?? '')
  const end = words.findIndex((one, at) => !groupOfDigits.test(one) && !(at > 0 && isDash(at)))
  return words.slice(0, end < 0 ? words.length : end).map((one) => one.replace('–', '-'))
}

function spellPair(language: Language, pair: string): string {
  return pair.startsWith('0')
    ? spellDigits(language, pair)
    : language.cardinal(Number(pair.slice(-2)))
}
