import { isSameKind } from '../unit-kinds.ts'
import type { Counted, Language, LanguageRule, Noun, Rest } from './language.ts'

/** A number at the start of a word. */
export interface WrittenAmount {
  sign: string
  /** Digits with a full stop before the decimals, or a fraction such as `1/2`. */
  value: string
  /** The end of a range. */
  end?: string
  /** What follows in the same word. */
  rest: string
}

const digits = String.raw`[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)?`
const amount = new RegExp(
  `^(<=|>=|[-–+±~≈<>≤≥])?(1/[234](?!\\d)|2/3(?!\\d)|3/4(?!\\d)|[½⅓⅔¼¾]|${digits})(?:[-–—]([-+]?(?:${digits})))?(.*)$`,
  's',
)
const maxDigits = 12
/** "0.125" is not in thousands. */
const grouped = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/
/** Units of sensors, which write 21.375 with a full stop before the decimals. */
const measured = /^(?:°|℃|%|K$)/

/** Reads an amount in one word, or in two with a space between its thousands. @returns it with the number of its words. */
export function readAmount(
  words: readonly string[],
): (WrittenAmount & { length: number }) | undefined {
  let [word = ''] = words
  let length = 1
  const isGroup = /^[-–+]?[1-9]\d{0,2}$/.test(word)
  while (isGroup && length < 4 && /^\d{3}(?!\d|[/:])/.test(words[length] ?? '')) {
    word += words[length]
    length += 1
    if (/\D$/.test(word) || /,/.test(word)) break
  }
  const found = amount.exec(word)
  if (!found) return undefined
  const [, sign = '', value = '', end, rest = ''] = found
  const amountOfWords = { sign, value, ...(end && { end }) }
  // "21° C"
  const isScaleApart = rest === '°' && /^[CF]$/.test(words[length] ?? '')
  return isScaleApart
    ? { ...amountOfWords, rest: rest + words[length], length: length + 1 }
    : { ...amountOfWords, rest, length }
}

/** @param unit its unit, which decides what a full stop means; empty if it has none. */
export function numberOf({ sign, value }: WrittenAmount, unit: string): number {
  const isGrouped = grouped.test(value) && !measured.test(unit)
  const size = Number((isGrouped ? value.replaceAll('.', '') : value).replace(',', '.'))
  return /^[-–]$/.test(sign) ? -size : size
}

/** @returns the number in words; its digits if it is long or begins with zeros. */
export function spellNumber(
  language: Language,
  written: string,
  {
    gender,
    isMeasured = false,
  }: { gender?: Noun['gender'] | undefined; isMeasured?: boolean } = {},
): string {
  if (Object.hasOwn(language.fractions, written)) return language.fractions[written]!
  const isGrouped = grouped.test(written) && !isMeasured
  const [whole = '', decimals] = (isGrouped ? written.replaceAll('.', '') : written).split(/[.,]/)
  const spoken =
    whole.length > maxDigits || /^0\d/.test(whole)
      ? spellDigits(language, whole)
      : language.cardinal(Number(whole), decimals === undefined ? gender : undefined)
  if (decimals === undefined) return spoken
  const isNumber = language.readsDecimalsAsNumber && /^[1-9]\d?$/.test(decimals)
  const after = isNumber ? language.cardinal(Number(decimals)) : spellDigits(language, decimals)
  return `${spoken} ${language.words.comma} ${after}`
}

/** @returns the digits one by one. */
export function spellDigits(language: Language, written: string): string {
  return Array.from(written.replace(/\D/g, ''), (digit) => language.cardinal(Number(digit))).join(
    ' ',
  )
}

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
  const options = { gender, isMeasured: measured.test(symbol) }
  const number = isYear ? spellYear(rest, value) : spellRange(language, found, options)
  const noun = unit?.name ?? separate?.name ?? next
  const spoken = language.beforeNoun?.(number, noun, rest.before, gender) ?? number
  const blanks = Array<string>(length - 1).fill('')
  const divisor = (unit ? attachedUnit !== attached : nextUnit !== next) ? [''] : []
  if (unit) return [`${spoken} ${unit.name}`, ...blanks, ...divisor]
  return separate ? [spoken, ...blanks, separate.name, ...divisor] : [spoken, ...blanks]
}

/** "l/100" before "km". @returns the symbol with the word after it, if that belongs to it. */
export function withDivisor(symbol: string, next: string): string {
  return /\D\/\d{1,4}$/.test(symbol) ? symbol + next : symbol
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

/** @returns the name of a unit such as `km/h`, `m²` or `ct/kWh`. */
export function findUnit(
  language: Language,
  symbol: string,
  isOne: boolean,
): { name: string; gender: Noun['gender'] } | undefined {
  const plain = symbol
    .replace(/^[-–]/, '')
    .replace(/[μu](?=[gmsA])/, 'µ')
    .replace(/^º/, '°')
  const known = findPower(language, plain)
  if (known) return { name: isOne ? known.singular : known.plural, gender: known.gender }
  const [first = '', second = '', third] = plain.split('/')
  const [, count = '', per = ''] = /^(\d{0,4})(.*)$/s.exec(second) ?? []
  const [counted, divisor] = [findPower(language, first), findPower(language, per)]
  if (!counted || !divisor || third !== undefined) return undefined
  const name = isOne ? counted.singular : counted.plural
  const amount = count
    ? `${spellNumber(language, count, { gender: divisor.gender })} ${divisor.plural}`
    : divisor.singular
  return { name: `${name} ${language.words.per} ${amount}`, gender: counted.gender }
}

function findPower({ units, currencies, words }: Language, symbol: string): Noun | undefined {
  const unit = units.get(symbol) ?? currencies[symbol]?.unit
  if (unit || !/^[kcdm]?m[²³23]$/.test(symbol)) return unit
  const noun = units.get(symbol.slice(0, -1))!
  const power = /[²2]$/.test(symbol) ? words.square : words.cubic
  return { ...noun, singular: power(noun.singular), plural: power(noun.plural) }
}

/** @returns the first symbol of a unit or a currency: `h` for "Std" and "Stunden", `€` for "Euro". */
export function symbolOf(language: Language, written: string): string | undefined {
  const { units, currencies } = language
  const isKnown = Object.hasOwn(currencies, written)
  const name = (units.get(written) ?? (isKnown ? currencies[written]!.unit : undefined))?.singular
  const isNamed = ({ singular, plural }: Noun) => [singular, plural].includes(name ?? written)
  return (
    [...units].find(([, noun]) => isNamed(noun))?.[0] ??
    Object.keys(currencies).find((symbol) => isNamed(currencies[symbol]!.unit)) ??
    (findUnit(language, written, false) && written)
  )
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

/** "1000/500 Mbit/s", and without a unit "60/40" and the blood pressure "120/80", but no number of a house. */
export const spellRatio: LanguageRule = ({ language, words, before, earlier }) => {
  const [word = '', next = ''] = words
  const [, first = '', second = ''] = /^(\d{2,6})\/(\d{2,6})$/.exec(word) ?? []
  const isHouse = language.labels.test(before) || earlier.some((one) => language.streets.test(one))
  // "Wiener Straße 45/23 A"
  const unit = isHouse && /^[A-K]$/.test(next) ? undefined : findUnit(language, next, false)
  if (second === '' || !(unit || (isPair(Number(first), Number(second)) && !isHouse))) {
    return undefined
  }
  const [upper, lower] = [first, second].map((number) => spellNumber(language, number))
  // "12/24 V" are two kinds of the same.
  const isFalling = Number(first) > Number(second)
  const spoken = `${upper}${isFalling ? ` ${language.words.over}` : ','} ${lower}`
  return unit ? [spoken, unit.name] : [spoken]
}

/** Whether two numbers are shares of a hundred, or can be a blood pressure, unlike the sizes "34/32" and "205/55". */
function isPair(first: number, second: number): boolean {
  const difference = first - second
  const isPressure = first <= 250 && second >= 40 && difference >= 20 && difference <= 100
  return isPressure || (first + second === 100 && difference > 0 && second >= 20)
}

const price = new RegExp(`^([-–+])?(${digits})$`)

/** "60x40 cm", "2x500g". */
export const spellSize: LanguageRule = ({ language, words: [word = '', next = ''] }) => {
  const [, sizes = '', symbol = ''] = /^(\d{1,6}(?:[x×]\d{1,6}){1,2})(\D*)$/.exec(word) ?? []
  const unit = findUnit(language, symbol || next, false)
  if (sizes === '' || (symbol !== '' && !unit)) return undefined
  const numbers = sizes.split(/[x×]/).map((number) => spellNumber(language, number))
  const spoken = numbers.join(` ${language.signs['×']} `)
  if (!unit) return [spoken]
  return symbol ? [`${spoken} ${unit.name}`] : [spoken, unit.name]
}

/** "5,20 €", "5,20€", "€ 5,20", "€5,20". */
export const spellMoney: LanguageRule = ({ language, words }) => {
  const [first = '', second = ''] = words
  const attached = /^([-–+]?)([€$£])?(.+?)(€|\$|£|EUR|CHF|ct)?$/.exec(first)
  const [, sign = '', prefix, number = '', suffix] = attached ?? []
  const own = prefix ?? suffix
  if (own && !(prefix && suffix)) {
    const spoken = spellPrice(language, sign + number, own)
    return spoken === undefined ? undefined : [spoken]
  }
  if (Object.hasOwn(language.currencies, first)) {
    const spoken = spellPrice(language, second, first)
    return spoken === undefined ? undefined : [spoken, '']
  }
  if (!Object.hasOwn(language.currencies, second)) return undefined
  const spoken = spellPrice(language, first, second)
  return spoken === undefined ? undefined : [spoken, '']
}

function spellPrice(language: Language, written: string, symbol: string): string | undefined {
  const [, sign = '', number = ''] = price.exec(written) ?? []
  const currency = language.currencies[symbol]
  if (number === '' || !currency) return undefined
  const isGrouped = grouped.test(number)
  const [whole = '', cents = ''] = (isGrouped ? number.replaceAll('.', '') : number).split(/[.,]/)
  const minus = sign && `${language.signs[sign.replace('–', '-')]} `
  if (whole.length > maxDigits) return undefined
  // "0,325 €/kWh" is not in cents.
  if (cents.length > 2) {
    return `${minus}${spellNumber(language, number, { isMeasured: true })} ${currency.unit.plural}`
  }
  const amountOfCents = Number(cents.padEnd(2, '0'))
  const spoken =
    whole === '0' && amountOfCents > 0
      ? joinCounted(count(language, amountOfCents, currency.cent))
      : language.money(
          count(language, Number(whole), currency.unit),
          amountOfCents > 0 ? count(language, amountOfCents, currency.cent) : undefined,
        )
  return minus + spoken
}

function count(language: Language, value: number, noun: Noun): Counted {
  return {
    count: language.cardinal(value, noun.gender),
    unit: value === 1 ? noun.singular : noun.plural,
  }
}

function joinCounted({ count, unit }: Counted): string {
  return `${count} ${unit}`
}
