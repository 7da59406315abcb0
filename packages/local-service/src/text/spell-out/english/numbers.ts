import { type Rule, setOf, textAfter, textBefore } from '../word.ts'
import { isFraction } from './number-words.ts'

/** The start of a word that is an amount, and the rest of the word, such as its unit. */
export interface Amount {
  spoken: string
  /** Whether a unit after it is in the singular. */
  isOne: boolean
  rest: string
}

const signs: Readonly<Record<string, string>> = {
  '-': 'minus ',
  '−': 'minus ',
  '–': 'minus ',
  '+': 'plus ',
  '±': 'plus or minus ',
  '~': 'about ',
  '≈': 'about ',
  '<': 'less than ',
  '>': 'more than ',
  '≤': 'at most ',
  '<=': 'at most ',
  '≥': 'at least ',
  '>=': 'at least ',
}
export const fractions: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅛': '1/8',
}
const sign = /^(?:[<>]=|[-−–+±~≈<>≤≥])/
const digits = String.raw`(?:\d+(?:[.,]\d+)*|\.\d+)`
const number = new RegExp(`^(?:(\\d{1,6}/\\d{1,6}(?![\\d/])|[½⅓⅔¼¾⅛])|(${digits})([½⅓⅔¼¾⅛])?)`)
const upTo = new RegExp(`^(?:[-–—~]|\\.{2,3}|…)([-−+]?)(${digits})`)

/** Reads a number with its sign and comparison, a fraction, or a range of numbers, at the start of a word. */
export function readAmount(text: string): Amount | undefined {
  const [mark = ''] = sign.exec(text) ?? []
  const unsigned = text.slice(mark.length)
  const found = number.exec(unsigned)
  if (!found) return undefined
  const [all, part, whole, added] = found
  let spoken = whole ? spellNumber(whole) : spellPart(part!)
  if (added) spoken += ` ${fractions[added]}`
  let isOne = (part !== undefined && isShare(part)) || (whole === '1' && !added)
  let rest = unsigned.slice(all.length)
  const range = upTo.exec(rest)
  if (range) {
    const [allOfRange, endSign = '', end = ''] = range
    spoken += ` to ${signs[endSign] ?? ''}${spellNumber(end)}`
    isOne = false
    rest = rest.slice(allOfRange.length)
  }
  return { spoken: (signs[mark] ?? '') + spoken, isOne, rest }
}

/** A fraction, or two large numbers such as those of "1000/500 Mbit/s". */
function spellPart(part: string): string {
  const [upper = '', lower] = part.split('/')
  const isLarge = lower !== undefined && Math.max(upper.length, lower.length) > 3
  return isLarge ? `${spellNumber(upper)} over ${spellNumber(lower)}` : (fractions[part] ?? part)
}

/** Whether the unit after it is in the singular: "½ mi", but not "100/40 Mbit/s". */
function isShare(part: string): boolean {
  const [upper, lower] = part.split('/')
  return lower === undefined || isFraction(upper!, lower)
}

/** @returns the number as an amount: without the commas, 1984 would be a year. */
export function spellNumber(written: string): string {
  const plain = normalizeSeparators(written)
  const [whole = '', decimals] = plain.split('.')
  const grouped = /^[1-9]\d{3,11}$/.test(whole) ? groupThousands(whole) : whole
  return decimals === undefined ? grouped : `${grouped} point ${spaced(decimals)}`
}

function groupThousands(digits: string): string {
  const first = digits.length % 3 || 3
  return digits.length <= 3
    ? digits
    : `${digits.slice(0, first)},${groupThousands(digits.slice(first))}`
}

/** @returns the number without separators of thousands, and with a full stop before the decimals. */
export function normalizeSeparators(written: string): string {
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(written)) return written.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(written) || /^\d+,\d+$/.test(written)) {
    return written.replaceAll('.', '').replace(',', '.')
  }
  return written.replaceAll(',', '')
}

/** @returns the characters one by one: "4 0 7". */
export function spaced(characters: string): string {
  return Array.from(characters).join(' ')
}

export const spansOfTime = setOf(
  'second seconds minute minutes hour hours day days week weeks months years',
)

/** The fraction of "2 1/2". */
export const mixedFractionRule: Rule = (text, place) =>
  /^\d\/\d$/.test(text) && isShare(text) && /^\d+$/.test(textBefore(place))
    ? `and ${text}`
    : undefined

/** Numbers with signs, sizes, sums, powers, and groups of digits. */
export const numberRule: Rule = (text, place) => {
  const thousand = textAfter(place) === '000' && /^\d{1,3}$/.test(text)
  if (thousand) return `${text},000`
  if (text === '000' && /^\d{1,3}$/.test(textBefore(place))) return ''
  // "1080p" is ten eighty.
  const lines = /^(7|10|14|21)(20|40|60|80)p$/.exec(text)
  if (lines) return `${lines[1]} ${lines[2]} P`
  const size = /^(\d+)(?:[x×](\d+))?[x×](\d+)?$/.exec(text)
  if (size) return spellSize(size)
  if (/^\d+(?:[+*×÷=−]\d+)+$/.test(text)) return spellSum(text)
  if (/^\d[\d.]*e[+-]?\d{1,3}$/i.test(text)) return spellPower(text)
  const pair = /^(\d{1,2})\/(\d{1,2})$/.exec(text)
  if (pair && spansOfTime.has(textAfter(place))) return `${pair[1]} or ${pair[2]}`
  if (isPlain(text)) return undefined
  const amount = readAmount(text)
  return amount?.rest === '' ? amount.spoken : undefined
}

/** Whether the number is read as a year, a decimal, a range or a fraction. */
function isPlain(text: string): boolean {
  return /^\d+(?:\.\d+)?$|^[1-9]\d{0,2}(?:,\d{3})+$|^\d+[-/]\d+$/.test(text)
}

function spellSize([, first = '', second, third]: RegExpExecArray): string {
  if (!third) return `${first} times`
  return [first, second, third].flatMap((part) => (part ? spellNumber(part) : [])).join(' by ')
}

const operators: Readonly<Record<string, string>> = {
  '+': ' plus ',
  '*': ' times ',
  '×': ' times ',
  '÷': ' divided by ',
  '=': ' equals ',
  '−': ' minus ',
}

function spellSum(text: string): string {
  return text.replace(/[+*×÷=−]/g, (operator) => operators[operator]!)
}

function spellPower(text: string): string {
  const [base = '', exponent = ''] = text.toLowerCase().split('e')
  const power = exponent.replace('-', 'minus ').replace('+', '')
  return `${spellNumber(base)} times 10 to the ${power}`
}
