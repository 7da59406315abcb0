import { groupOfDigits, isDateOrRange, minTelephoneDigits } from '../telephone-groups.ts'
import { type Rule, setOf, type WordPlace } from '../word.ts'
import { spaced } from './numbers.ts'

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
function isTelephoneNumber({ words, index }: WordPlace): boolean {
  const isDigits = (at: number) => groupOfDigits.test(words[at]?.text ?? '')
  const isDash = (at: number) => /^[-–]$/.test(words[at]?.text ?? '')
  const isGroup = (at: number) =>
    isDigits(at) || (isDash(at) && isDigits(at - 1) && isDigits(at + 1))
  if (!isGroup(index)) return false
  let start = index
  while (
    index - start < maxTelephoneWords &&
    isGroup(start - 1) &&
    words[start - 1]!.after.length < 2
  )
    start -= 1
  let end = start
  while (end < start + maxTelephoneWords && isGroup(end)) end += 1
  const groups = words.slice(start, end).map(({ text }) => text.replace('–', '-'))
  const first = words[start]!.before.replace(/[^(]/g, '') + groups[0]
  const joined = groups.join('')
  if (isDateOrRange(groups)) return false
  if (groups.length > 1 && telephoneNumber.test(joined)) return true
  return /^(?:\+\d|0\d|\(0)/.test(first) && joined.replace(/\D/g, '').length >= minTelephoneDigits
}
