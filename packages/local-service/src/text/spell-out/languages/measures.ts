import type { Measure } from '../dash-between-amounts.ts'
import { temperatureScale } from '../unit-kinds.ts'
import type { Language } from './language.ts'
import { numberOf, readAmount } from './numbers.ts'
import { symbolOf, withDivisor } from './units.ts'

/** A number with its unit, and the texts that follow. */
export interface MeasureInText extends Measure {
  afterNumber: readonly string[]
  afterUnit: readonly string[]
}

/** Reads a number and its unit at the start of the texts. */
export function readMeasure(
  language: Language,
  texts: readonly string[],
): MeasureInText | undefined {
  const [first = '', ...following] = texts
  const [, hours] = /^(\d{1,2})[:h]\d{2}(?::\d{2})?h?$/.exec(first) ?? []
  if (hours) {
    const afterUnit = following.slice(language.afterTime.test(following[0] ?? '') ? 1 : 0)
    const value = Number(hours)
    return { value, unit: 'clock', isMeasured: true, afterNumber: following, afterUnit }
  }
  const prefix = /^[€$£]?/.exec(first)![0]
  const found = readAmount([first.slice(prefix.length), ...following])
  if (!found) return undefined
  const { rest, length } = found
  const afterNumber = following.slice(length - 1)
  const value = numberOf(found, rest || (afterNumber[0] ?? ''))
  const unit = prefix ? { unit: prefix, length: 0 } : readUnit(language, rest, afterNumber)
  const afterUnit = afterNumber.slice(unit.length)
  return { value, isMeasured: true, ...unit, afterNumber, afterUnit }
}

/** @returns the unit, and how many of the texts belong to it. */
function readUnit(language: Language, attached: string, texts: readonly string[]) {
  const [next = '', second] = texts
  const written = withDivisor(attached || next, attached ? next : (second ?? ''))
  const length = (attached ? 0 : 1) + (written === (attached || next) ? 0 : 1)
  if (!attached && next === language.oclock) return { unit: 'clock', length }
  // "3 p. m.", of which a mark may have ended the texts.
  if (!attached && /^[ap]\.?m$/i.test(next)) return { unit: 'clock', length }
  if (!attached && /^[ap]$/i.test(next) && (second ?? 'm') === 'm')
    return { unit: 'clock', length: 2 }
  const unit = symbolOf(language, written)
  // "3 Mio. Euro"
  const isCount = /^(?:Mio|Mrd)$/.test(unit ?? '') && /^[\p{L}€$£]/u.test(second ?? '')
  const isScaled = unit?.startsWith('°') === true && temperatureScale.test(second ?? '')
  if (unit !== undefined) return { unit, length: isCount || isScaled ? length + 1 : length }
  if (attached) {
    const isOrdinal = language.ordinalMark.test(attached)
    return { unit: isOrdinal ? 'ordinal' : attached, isMeasured: false, length: 0 }
  }
  const isNoun = /^\p{L}{3,}/u.test(next)
  return { unit: isNoun ? next : '', isMeasured: false, length: isNoun ? 1 : 0 }
}
