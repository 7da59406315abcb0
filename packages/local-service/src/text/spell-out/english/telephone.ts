import {
  digitsOf,
  groupsOfTelephone,
  isDateOrRange,
  isPartOfTelephone,
  minTelephoneDigits,
} from '../telephone-groups.ts'
import { type Rule, setOf, type WordPlace } from '../word.ts'
import { spaced, spansOfTime } from './numbers.ts'
import { isHalfOfDay } from './times.ts'
import { isUnitApart } from './units.ts'

/** Words before digits that are read one by one. */
const codes = setOf('pin code passcode password otp zip postcode dial call extension')
/** Without an area code, 500-1000 is a range. */
const localTelephoneNumber = /^\d{3}-\d{3}[1-9]$/
const telephoneNumber = /^(?:1[-.])?\d{3}([-.])\d{3}\1\d{4}$/

/** Digits of codes and telephone numbers, which are read one by one. */
export const digitRule: Rule = (text, place) => {
  if (/^\d{13,}$/.test(text)) return spaced(text)
  if (/^\d{3,}(?:-\d{2,})*$/.test(text) && isCode(place)) return spaced(text.replaceAll('-', ''))
  if (localTelephoneNumber.test(text) || telephoneNumber.test(text) || isAfterAreaCode(place)) {
    return spaced(text.replace(/\D/g, ''))
  }
  if (isAreaCode(place)) return spaced(text)
  if (!isTelephoneNumber(place)) return undefined
  return spaced(text.replace(/\D/g, '')).replace(/^/, text.startsWith('+') ? 'plus ' : '')
}

/** The 555 of "(555) 123-4567" and "555 123-4567". */
function isAreaCode({ words, index }: WordPlace): boolean {
  const { before = '', text = '', after = '' } = words[index] ?? {}
  const next = words[index + 1]?.text ?? ''
  if (!/^\d{3}$/.test(text)) return false
  const isBracketed = before.endsWith('(') && after === ')'
  return isBracketed
    ? /^\d{3}-\d{4}$/.test(next)
    : before + after === '' && localTelephoneNumber.test(next)
}

function isAfterAreaCode(place: WordPlace): boolean {
  const text = place.words[place.index]!.text
  return /^\d{3}-\d{4}$/.test(text) && isAreaCode({ ...place, index: place.index - 1 })
}

function isCode({ words, index }: WordPlace): boolean {
  const wordAt = (at: number) => words[at]?.text.toLowerCase() ?? ''
  const before = wordAt(index - 1)
  // "Call 112 or 110"
  const isAnother = /^(?:or|and)$/.test(before) && /^\d{3,}$/.test(wordAt(index - 2))
  if (isAnother) return codes.has(wordAt(index - 3))
  return codes.has(/^(?:is|number)$/.test(before) ? wordAt(index - 2) : before)
}

const maxTelephoneWords = 12

/** Whether the word belongs to groups of digits that begin with + or 0, and may have dashes between them. */
export function isTelephoneNumber({ words, index }: WordPlace): boolean {
  const isPart = (at: number) => isPartOfTelephone(words[at]?.text ?? '')
  const isJoined = (at: number) => isPart(at) && /^\)?$/.test(words[at]!.after)
  if (!isPart(index)) return false
  let start = index
  while (index - start < maxTelephoneWords && isJoined(start - 1)) start -= 1
  while (start < index && /^[-–]$/.test(words[start]!.text)) start += 1
  const following = words.slice(start, start + maxTelephoneWords + 2)
  const mark = following.findIndex((_, at) => isPart(start + at) && !isJoined(start + at))
  const texts = following.slice(0, mark < 0 ? undefined : mark + 1).map(({ text }) => text)
  const groups = groupsOfTelephone(texts, isAmountBefore).slice(0, maxTelephoneWords)
  if (index >= start + groups.length || isDateOrRange(groups)) return false
  const first = words[start]!.before.replace(/[^(]/g, '') + groups[0]
  if (groups.length > 1 && telephoneNumber.test(groups.join(''))) return true
  return /^(?:\+\d|0\d|\(0)/.test(first) && digitsOf(groups).length >= minTelephoneDigits
}

/** "24 hours", "9 am", "9 to 5" */
function isAmountBefore(next: string, second: string): boolean {
  const isTime = spansOfTime.has(next) || isHalfOfDay(next)
  return isTime || isUnitApart(next) || (next === 'to' && /^\d/.test(second))
}
