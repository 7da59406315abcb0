import type { Counted, Language, LanguageRule, Noun } from './language.ts'
import { digits, maxDigits, partsOf, spellNumber } from './numbers.ts'

const price = new RegExp(`^([-–+])?(${digits})$`)

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
  const [whole = '', cents = ''] = partsOf(number, false)
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
