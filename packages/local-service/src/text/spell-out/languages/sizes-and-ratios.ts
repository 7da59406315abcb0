import type { LanguageRule } from './language.ts'
import { spellNumber } from './numbers.ts'
import { findUnit } from './units.ts'

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
