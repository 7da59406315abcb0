import type { Language, Noun } from './language.ts'
import { spellNumber } from './numbers.ts'

/** "l/100" before "km". @returns the symbol with the word after it, if that belongs to it. */
export function withDivisor(symbol: string, next: string): string {
  return /\D\/\d{1,4}$/.test(symbol) ? symbol + next : symbol
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
