import { isSameKind } from '../unit-kinds.ts'
import { type Rule, setOf, textAfter, textBefore, type WordPlace } from '../word.ts'
import { isInches } from './inches.ts'
import { readAmount } from './numbers.ts'
import { unitNames } from './unit-names.ts'

/** Words, not units, if a space is before them. */
const onlyAttached = setOf("k ' mo b in")
/** A name in the singular after "per". */
const longerAfterPer = new Map([
  ['kwh', 'kilowatt hour'],
  ['d', 'day'],
  ['day', 'day'],
  ['month', 'month'],
  ['person', 'person'],
])

/** @returns the name of a unit such as `km/h`, `m²` or `ct/kWh`; `undefined` for other text. */
export function spellUnit(symbol: string, isOne: boolean): string | undefined {
  const [first = '', second, third] = symbol
    .replace(/[μu](?=[gmsA])/, 'µ')
    .replace('\u2126', 'Ω')
    .split('/')
  if (third !== undefined) return undefined
  const name = spellPower(first, isOne)
  if (name === undefined || second === undefined) return name
  const [, count = '', rest = ''] = /^(\d{0,4})(.*)$/s.exec(second) ?? []
  const divisor = longerAfterPer.get(rest) ?? spellPower(rest, count === '')
  return divisor && `${name} per ${count ? `${count} ` : ''}${divisor}`
}

const powers: Readonly<Record<string, string>> = {
  '²': 'square ',
  2: 'square ',
  '³': 'cubic ',
  3: 'cubic ',
}

function spellPower(symbol: string, isOne: boolean): string | undefined {
  const power = /^[kcdm]?m[²³23]$/.test(symbol) ? symbol.slice(-1) : ''
  const name = unitNames.get(power ? symbol.slice(0, -1) : symbol)
  if (!name) return undefined
  const [singular = '', plural = ''] = name.includes('|')
    ? name.split('|')
    : [name.replace('*', ''), name.replace('*', 's')]
  return (powers[power] ?? '') + (isOne ? singular : plural)
}

const labels = setOf(`
  alarm apartment apt bay block building bus chapter class exhibit figure flat floor gate hall house line model number
  page platform room route row seat section step suite table terminal track train tram unit version
`)
const decades = setOf('the early late mid their his her')

/** Whether "4A" after this word is a label. */
function isLabelled({ words, index }: WordPlace): boolean {
  const { text, after } = words[index]!
  // "221B Baker Street"
  const isHouse = /^\d{1,4}[AB]$/.test(text) && after === ''
  if (isHouse && /^\p{Lu}\p{Ll}/u.test(words[index + 1]?.text ?? '')) return true
  return isAfterLabel({ words, index })
}

/** Whether the number is the name of a room, a gate or something else: "Room 4". */
export function isAfterLabel({ words, index }: Pick<WordPlace, 'words' | 'index'>): boolean {
  return labels.has(words[index - 1]?.text.toLowerCase() ?? '')
}

/** Amounts with a unit: "21.5°C", "3 kWh", "5-10km/h", "1h20min". */
export const unitRule: Rule = (text, place) => {
  if (isLabelled(place) && /^\d+[A-Za-z]$/.test(text)) return undefined
  return (
    spellHeight(text) ??
    spellDuration(text) ??
    spellTwin(text, place) ??
    spellPerCount(text, place) ??
    spellAttached(text, place) ??
    spellRange(text, place) ??
    spellSeparate(text, place)
  )
}

/** Whether the word is a number with a unit: "20°C". */
export function isAmountWithUnit(text: string, place: WordPlace): boolean {
  return (
    /^\d/.test(text) && readAmount(text)?.rest !== '' && spellAttached(text, place) !== undefined
  )
}

function spellAttached(text: string, place: WordPlace): string | undefined {
  const amount = readAmount(text)
  if (!amount) return undefined
  const { spoken, isOne, rest } = amount
  const before = place.words[place.index - 1]?.text.toLowerCase() ?? ''
  if (rest === 's' && /0s$/.test(text) && (/^\d{4}s$/.test(text) || decades.has(before)))
    return undefined
  // 4K is a picture and 150K a count, 2700K a light.
  if (rest === 'K' && /^\d{1,3}K$/.test(text)) return undefined
  if (rest === '') return isFollowedByUnit(place) ? spoken : undefined
  // "5m 30s"
  if (rest === 'm' && /^\d{1,2}s$/.test(textAfter(place)))
    return `${spoken} ${spellUnit('min', isOne)}`
  // "a 5-km run"
  const isAdjective = rest.startsWith('-')
  const unit = spellUnit(isAdjective ? rest.slice(1) : rest, isOne || isAdjective)
  return unit && `${spoken} ${unit}`
}

/** "180°C/350°F" */
function spellTwin(text: string, place: WordPlace): string | undefined {
  const parts = splitTwin(text)?.map((part) => spellAttached(part, place))
  return parts?.[0] && parts[1] && `${parts[0]}, ${parts[1]}`
}

/** The second word of "15 kWh/100 km" and the first one of "15kWh/100 km". The unit after it is a word of its own. */
function spellPerCount(text: string, place: WordPlace): string | undefined {
  const [, start = '', count] = /^([^/]*[^/\d])\/(\d{1,4})$/.exec(text) ?? []
  if (!count || !isFollowedByUnit(place)) return undefined
  const spoken = spellAttached(start, place) ?? spellSeparate(start, place)
  return spoken && `${spoken} per ${count}`
}

/** Units that one device has together: "5V/2A". */
const electricity = setOf('V A W kW mA Hz VA')

/** The parts of `180°C/350°F` and `5V/2A`, which are not an amount per another one, as `6l/100km` is. */
function splitTwin(text: string): readonly [string, string] | undefined {
  const [first = '', second = '', more] = text.split('/')
  const [one, other] = [readAmount(first)?.rest, readAmount(second)?.rest]
  if (more !== undefined || !one || !other) return undefined
  const isTwin = isSameKind(one, other) || (electricity.has(one) && electricity.has(other))
  return isTwin ? [first, second] : undefined
}

/** "50%-60%", but not "5V-2A" */
function spellRange(text: string, place: WordPlace): string | undefined {
  const [from = '', to = '', more] = text.split(/[-–—]/)
  if (from === '' || more !== undefined) return undefined
  const [start, end] = [spellAttached(from, place), spellAttached(to, place)]
  if (!start || !end) return undefined
  const [unit = '', lastUnit = ''] = [from, to].map((one) => readAmount(one)?.rest)
  return isSameKind(unit, lastUnit) ? `${start} to ${end}` : `${start}, ${end}`
}

/** The unit of the amount in the word before. */
function spellSeparate(text: string, place: WordPlace): string | undefined {
  const { words, index } = place
  const before = textBefore(place) === 'sq' ? (words[index - 2]?.text ?? '') : textBefore(place)
  if (text === 'in' ? !isInches(before, place) : onlyAttached.has(text)) return undefined
  if (spellPerCount(before, { ...place, index: index - 1 })) return spellUnit(text, false)
  const amount = readAmount(before)
  if (amount?.rest !== '' && !/^(?:thousand|million|billion)$/.test(before)) return undefined
  return spellUnit(text, amount?.isOne === true)
}

/** Whether the word after this one is a unit. */
export function isFollowedByUnit(place: WordPlace): boolean {
  return isUnitApart(textAfter(place))
}

/** Whether a text after a number and a space is a unit. */
export function isUnitApart(text: string): boolean {
  return text === 'sq' || (!onlyAttached.has(text) && spellUnit(text, false) !== undefined)
}

/** 5'10" */
function spellHeight(text: string): string | undefined {
  const [, feet, inches] = /^(\d{1,2})['’′](\d{1,2})["”″]?$/.exec(text) ?? []
  return feet && inches && `${feet} foot ${inches}`
}

const times = setOf('d h hr hrs m min mins s sec ms')

function spellDuration(text: string): string | undefined {
  if (!/^(?:\d{1,6}[a-z]{1,4}){2,4}$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d{1,6})([a-z]{1,4})/g)]
  if (!parts.every(([, , unit = '']) => times.has(unit))) return undefined
  return parts
    .map(
      ([, count = '', unit = '']) =>
        `${count} ${spellUnit(unit === 'm' ? 'min' : unit, count === '1')}`,
    )
    .join(' ')
}
