import { type Rule, textAfter, textBefore } from '../word.ts'
import { normalizeSeparators, spellNumber } from './numbers.ts'
import { spellUnit } from './units.ts'

interface Currency {
  /** Singular and plural. */
  major: readonly [string, string]
  /** Absent if the currency has no hundredths. */
  minor?: readonly [string, string]
  /** Whether 3.459 cannot be in thousands. */
  groupsWithCommas?: boolean
}

const euro: Currency = { major: ['euro', 'euros'], minor: ['cent', 'cents'] }
const dollar: Currency = {
  major: ['dollar', 'dollars'],
  minor: ['cent', 'cents'],
  groupsWithCommas: true,
}
const pound: Currency = {
  major: ['pound', 'pounds'],
  minor: ['penny', 'pence'],
  groupsWithCommas: true,
}
const yen: Currency = { major: ['yen', 'yen'] }
const franc: Currency = { major: ['franc', 'francs'], minor: ['centime', 'centimes'] }
const rupee: Currency = {
  major: ['rupee', 'rupees'],
  minor: ['paisa', 'paise'],
  groupsWithCommas: true,
}

const currencies: ReadonlyMap<string, Currency> = new Map(
  Object.entries({
    '€': euro,
    EUR: euro,
    $: dollar,
    US$: dollar,
    USD: dollar,
    '£': pound,
    GBP: pound,
    '¥': yen,
    JPY: yen,
    CHF: franc,
    '₹': rupee,
    INR: rupee,
  }),
)

const scales: Readonly<Record<string, string>> = {
  k: 'thousand',
  K: 'thousand',
  m: 'million',
  M: 'million',
  mn: 'million',
  bn: 'billion',
  b: 'billion',
  B: 'billion',
  tn: 'trillion',
}
const sizes: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
}
const scaleNames = new Set(Object.keys(sizes))

const symbolFirst = /^([-−]?)(US\$|[€$£¥₹])([-−]?)(\d[\d.,]*)(k|K|mn|m|M|bn|b|B|tn)?(\/.{1,20})?$/
const symbolLast = /^([-−]?)(\d[\d.,]*)([€$£¥₹])$/
const rangeOfMoney = /^(US\$|[€$£¥₹])(\d[\d.,]*)[-–—](?:US\$|[€$£¥₹])?(\d[\d.,]*)$/
const plainAmount = /^([-−]?)(\d[\d.,]*)$/

/** Amounts of money: "€5.20", "5,20 €", "EUR 5", "$3m", "£2 million", "$5-$10". The number says the currency, wherever that is. */
export const moneyRule: Rule = (text, place) => {
  const [before, after] = [textBefore(place), textAfter(place)]
  if (currencies.has(text)) return isAmount(before) || isAmount(after) ? '' : undefined
  const first = symbolFirst.exec(text)
  if (first) return spellFirst(first, after)
  const range = rangeOfMoney.exec(text)
  if (range) {
    return `${spellNumber(range[2]!)} to ${spellMoney('', range[3]!, currencies.get(range[1]!)!)}`
  }
  const last = symbolLast.exec(text)
  if (last) return spellMoney(last[1]!, last[2]!, currencies.get(last[3]!)!)
  const plain = plainAmount.exec(text)
  const currency = currencies.get(before) ?? currencies.get(after)
  if (plain && currency) return spellMoney(plain[1]!, plain[2]!, currency)
  const symbol = /^[-−]?(US\$|[€$£¥₹])\d/.exec(before)?.[1]
  return symbol && scaleNames.has(text) ? `${text} ${currencies.get(symbol)!.major[1]}` : undefined
}

/** "$5 - $10", "$900k - $1.2m": whether two prices are of the same currency, and rise. */
export function isRisingPrice(from: string, to: string): boolean {
  const [start, end] = [readPrice(from), readPrice(to)]
  return start?.currency === end?.currency && start !== undefined && start.value < end!.value
}

function readPrice(text: string) {
  const [, , symbol = '', , amount = '', scale = ''] = symbolFirst.exec(text) ?? []
  const currency = currencies.get(symbol)
  const size = sizes[scales[scale] ?? ''] ?? 1
  return currency && { currency, value: size * Number(normalizeSeparators(amount)) }
}

const isAmount = (text: string) => plainAmount.test(text)

function spellFirst(found: RegExpExecArray, after: string): string | undefined {
  const [, minus = '', symbol = '', inner = '', amount = '', scale, divisor] = found
  const currency = currencies.get(symbol)!
  const sign = minus || inner ? 'minus ' : ''
  if (scale) return `${sign}${spellNumber(amount)} ${scales[scale]} ${currency.major[1]}`
  if (scaleNames.has(after)) return sign + spellNumber(amount)
  // "€1.459/l" is not in thousands.
  const isPart = divisor !== undefined && threeDecimals.test(amount)
  const spoken = isPart
    ? `${sign}${spellNumber(amount)} ${currency.major[1]}`
    : spellMoney(minus || inner, amount, currency)
  return divisor ? `${spoken} per ${spellUnit(divisor.slice(1), true) ?? divisor.slice(1)}` : spoken
}

const threeDecimals = /^\d{1,3}\.\d{3}$/

function spellMoney(minus: string, amount: string, currency: Currency): string {
  const { major, minor } = currency
  const sign = minus ? 'minus ' : ''
  const [, whole = '', hundredths = '00'] = /^([\d.,]*?)(?:[.,](\d\d))?$/.exec(amount) ?? []
  const isPart =
    /^[\d.,]*\d[.,](?:\d|\d{4,})$|^0[.,]\d{3}$/.test(amount) ||
    (currency.groupsWithCommas && threeDecimals.test(amount))
  if (!minor || isPart) return `${sign}${spellNumber(amount)} ${major[1]}`
  const [majors, minors] = [whole.replace(/[.,]/g, ''), Number(hundredths)]
  const spokenMinors = `${minors} ${minor[minors === 1 ? 0 : 1]}`
  if (Number(majors) === 0 && minors > 0) return sign + spokenMinors
  const spoken = `${sign}${spellNumber(majors)} ${major[majors === '1' ? 0 : 1]}`
  return minors > 0 ? `${spoken} ${spokenMinors}` : spoken
}
