import { isSameKind } from '../unit-kinds.ts'
import type { Language, LanguageRule, Noun, Rest } from './language.ts'
import { spellMoney } from './money.ts'
import { isOfSensor, readAmount, spellNumber, type WrittenAmount } from './numbers.ts'
import { findUnit, symbolOf, withDivisor } from './units.ts'

/** Amounts with a unit, ranges, and plain numbers: "21,5 °C", "5–10km/h", "-3", "1 250 W", "3 Fenster". */
export const spellAmount: LanguageRule = (rest) => {
  const { language, words } = rest
  const found = readAmount(words)
  if (!found || isLabel(rest)) return undefined
  const { length, rest: attached, value, end } = found
  const isOne = value === '1' && end === undefined
  const [next = '', second = ''] = words.slice(length)
  const attachedUnit = withDivisor(attached, next)
  const unit = attached === '' ? undefined : findUnit(language, attachedUnit, isOne)
  if (attached !== '' && !unit) return undefined
  const isFactor = next === 'x' && /^\d/.test(second)
  const nextUnit = withDivisor(next, second)
  const separate = attached === '' && !isFactor ? findUnit(language, nextUnit, isOne) : undefined
  const symbol = attached || (separate ? next : '')
  const isNoun = !unit && !separate && /^\p{L}{3,}/u.test(next)
  const gender = (unit ?? separate)?.gender ?? (isNoun ? language.genderOf(next) : undefined)
  const isYear = !unit && !separate && !end && value.length === 4 && !/[.,]/.test(value)
  const options = { gender, isMeasured: isOfSensor(symbol) }
  const number = isYear ? spellYear(rest, value) : spellRange(language, found, options)
  const noun = unit?.name ?? separate?.name ?? next
  const spoken = language.beforeNoun?.(number, noun, rest.before, gender) ?? number
  const blanks = Array<string>(length - 1).fill('')
  const divisor = (unit ? attachedUnit !== attached : nextUnit !== next) ? [''] : []
  if (unit) return [`${spoken} ${unit.name}`, ...blanks, ...divisor]
  return separate ? [spoken, ...blanks, separate.name, ...divisor] : [spoken, ...blanks]
}

/** Whether the word is a part of an address or a name: "Wohnung 4B", "via Roma 12A", "12B rue Foch", "4K", "150K". */
function isLabel({ language, words: [word = '', next = ''], before, earlier }: Rest): boolean {
  if (/^\d{1,3}K$/.test(word)) return true
  if (!/^\d{1,4}[A-Ka-f]$/.test(word)) return false
  return (
    language.labels.test(before) || [next, ...earlier].some((one) => language.streets.test(one))
  )
}

function spellYear({ language }: Rest, value: string): string {
  return language.year?.(Number(value)) ?? language.cardinal(Number(value))
}

function spellRange(
  language: Language,
  { sign, value, end }: WrittenAmount,
  options: { gender: Noun['gender'] | undefined; isMeasured: boolean },
): string {
  const { signs, words } = language
  const named = sign.replace('–', '-').replace('<=', '≤').replace('>=', '≥')
  const start = `${named && `${signs[named]} `}${spellNumber(language, value, options)}`
  if (!end) return start
  const endSign = /^[-+]/.exec(end)?.[0] ?? ''
  const last = spellNumber(language, end.slice(endSign.length), options)
  return `${start} ${words.to} ${endSign && `${signs[endSign]} `}${last}`
}

/** "18°C-20°C", "5€-10€", "€5-10": of money, only the last amount has its unit. */
export const spellRangeOfAmounts: LanguageRule = (rest) => {
  const { language, words } = rest
  const [from = '', to = '', more] = words[0]!.split(/[-–—]/)
  if (more !== undefined || !amountWithSign.test(from)) return undefined
  if (isLabel({ ...rest, words: [from, ...words.slice(1)] })) return undefined
  const [unit, lastUnit] = [from, to].map((one) => one.replace(/[\d.,]/g, ''))
  const [symbol, lastSymbol] = [unit, lastUnit].map((one = '') => symbolOf(language, one) ?? one)
  if (lastUnit !== '' && !isSameKind(symbol!, lastSymbol!)) return undefined
  const currency = /[€$£]/.exec(from)?.[0]
  const last = currency && from.startsWith(currency) && /^\d/.test(to) ? currency + to : to
  const end = spellAlone(rest, last)
  const start = spellAlone(
    rest,
    currency && last.includes(currency) ? from.replace(currency, '') : from,
  )
  return start && end && !/^\D*$/.test(to) ? [`${start} ${language.words.to} ${end}`] : undefined
}

const amountWithSign = /^(?:[€$£]\d|\d.*[^\d.,]$)/

function spellAlone(rest: Rest, word: string): string | undefined {
  const one = { ...rest, words: [word] }
  return (spellMoney(one) ?? spellAmount(one))?.[0]
}
