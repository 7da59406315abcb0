import {
  isLast,
  type Rule,
  setOf,
  splitWord,
  textBefore,
  type Word,
  type WordPlace,
} from '../word.ts'
import { abbreviations, beforeNumber, withFullStop } from './abbreviation-names.ts'
import { isDayOrMonth } from './dates.ts'
import { spaced } from './numbers.ts'

/** The longest abbreviations that before a number need a full stop: "no. 5", but "no 5" may be a response. */
const maxLettersWithFullStop = 2
/** After a number they are units: "5 min 30 s". */
const alsoUnits = setOf('min sec')

/** Splits "No.5" and "max.25°C", which are read as "No. 5" and "max. 25°C". */
export function splitAbbreviation(word: Word): readonly Word[] {
  return splitWord(word, /^(?:[A-Za-z]{1,6}\.|[§№])(?=\d)/, (name) => {
    const key = name.toLowerCase()
    return (
      [beforeNumber, abbreviations, withFullStop].some((names) => names.has(key)) ||
      isDayOrMonth(name)
    )
  })
}

/** @returns the words of an abbreviation; `undefined` for other words. */
export function spellAbbreviation(text: string, place: WordPlace): string | undefined {
  const { words, index } = place
  const hasFullStop = words[index]!.after.startsWith('.')
  const key = text.toLowerCase()
  // "5 min 30 s", "5 min. 30 s"
  const before = words[index - 1]
  const isUnit =
    before !== undefined && /^(?:\d|sq$)/.test(before.text) && !/[,;:]/.test(before.after)
  const name = isUnit && alsoUnits.has(key) ? undefined : spellBeforeNumber(key, place)
  if (name) return name
  const title = spellTitle(key, place) ?? spellAvenue(text, place)
  if (title) return title
  if (isOrdinaryWord(text, place)) return undefined
  if (/^\p{Lu}\p{Ll}+str$/u.test(text) && hasFullStop) return text.replace(/str$/, 'straße')
  if (isUnit && (key === 'tsp' || key === 'tbsp')) return undefined
  if (text === 'PoE' || text === 'POE') return 'power over ethernet'
  if (key === 'min' && hasFullStop && isOneMinute(place)) return 'minute'
  return abbreviations.get(key) ?? (hasFullStop && !isUnit ? withFullStop.get(key) : undefined)
}

/** "No. 5", "max 25", "fig. 3". */
function spellBeforeNumber(key: string, { words, index }: WordPlace): string | undefined {
  const { after } = words[index]!
  if (/[,;!?]/.test(after) || !/^\d|^[IVX]{2,}$/.test(words[index + 1]?.text ?? ''))
    return undefined
  const needsFullStop = /^[a-z]+$/.test(key) && key.length <= maxLettersWithFullStop
  return needsFullStop && !after.startsWith('.') ? undefined : beforeNumber.get(key)
}

/** "Dr. Smith" and "Sunset Dr.", "St. Louis" and "Elm St.", "Ms. Smith" and "350 ms". */
function spellTitle(key: string, { words, index }: WordPlace): string | undefined {
  if (key !== 'dr' && key !== 'st' && key !== 'ms') return undefined
  const { text, after } = words[index]!
  const isNameNext = /^\p{Lu}/u.test(words[index + 1]?.text ?? '') && /^\.?$/.test(after)
  if (key === 'ms') return text === 'Ms' && isNameNext ? 'miz' : undefined
  const before = words[index - 1]
  const isAfterName =
    before?.after === '' && /^(?:\p{Lu}\p{Ll}+|\d+(?:st|nd|rd|th))$/u.test(before.text) && index > 1
  if (key === 'dr') return isAfterName && !isNameNext ? 'drive' : 'doctor'
  return isNameNext && !isAfterName
    ? 'saint'
    : after.startsWith('.') || isAfterName
      ? 'street'
      : undefined
}

/** "Wait a min." */
function isOneMinute(place: WordPlace): boolean {
  return /^(?:an?|one|per|each|every|this|last)$/i.test(textBefore(place)) && isLast(place)
}

/** "Park Ave", "5th Ave" and "Ave.", but not "We sing Ave Maria". The word after it may not have arrived yet. */
function spellAvenue(text: string, { words, index }: WordPlace): string | undefined {
  if (text.toLowerCase() !== 'ave') return undefined
  const isAfterName = /^(?:\p{Lu}[\p{L}-]*|\d.*)$/u.test(words[index - 1]?.text ?? '')
  const isNumbered = /^\d/.test(words[index + 1]?.text ?? '')
  const isAvenue = isAfterName || isNumbered || words[index]!.after.startsWith('.')
  // The dictionaries of the voices know it only as the avenue.
  return isAvenue ? 'avenue' : text === 'Ave' ? 'Ahvay' : undefined
}

const beforeAdjectives = setOf('is are was were be so very quite how not')

/** "Good night, Max.", "It makes a hum." and "That is apt." */
function isOrdinaryWord(text: string, place: WordPlace): boolean {
  if (text === 'Max') return place.index > 0
  if (!isLast(place)) return false
  const before = textBefore(place).toLowerCase()
  return /^hum$/i.test(text) || (/^apt$/i.test(text) && beforeAdjectives.has(before))
}

/** Letters that would be read as a word. Those that have no vowel are always spelled. */
const acronyms = setOf(`
  IP ID AI API APIS UPS PIR VOC CO EV SOS ETA FAQ DIY URL UV IR CET CEO CIA AKA HA AR OTA BLE ESP OS LED EU UN
  AQI UA AC GU OTP USB CO2 NO2 SO2 O3 NOX VOCS EPG USA UAE IOU ADSL FAO ISP SUV UFO ATM AED GUI IDE CLI
`)
/** Abbreviations that are words, too. In a text without small letters they are taken for words. */
const alsoWords = setOf('IT US AM')

/** Capital letters: "LED", "LEDs", "CO2", "ESP32", "USB-C". */
export const acronymRule: Rule = (text, { isCapital }) => {
  if (!text.includes('-')) return spellAcronym(text, isCapital)
  const parts = text.split('-')
  const spelled = parts.map((part) => spellAcronym(part, isCapital))
  const isSpelled = spelled.some((part) => part !== undefined)
  return isSpelled ? parts.map((part, index) => spelled[index] ?? part).join(' ') : undefined
}

function spellAcronym(text: string, isCapital: boolean): string | undefined {
  const flight = /^([A-Z]{2})(\d{3,4})$/.exec(text)
  if (flight) return `${spaced(flight[1]!)} ${spaced(flight[2]!)}`
  const counted = /^(\d{1,2})([A-Z]{2,3})$/.exec(text)
  if (counted) return `${counted[1]} ${spaced(counted[2]!)}`
  const measured = /^([B-DF-HJ-NP-TV-Z]{1,3})(\d{1,3}(?:\.\d)?)$/.exec(text)
  if (measured) return `${spaced(measured[1]!)} ${measured[2]}`
  const [, letters = '', count = '', plural = ''] = /^([A-Z]{2,5})(\d{0,3})(s?)$/.exec(text) ?? []
  if (letters === '') return undefined
  const isListed =
    acronyms.has(letters) ||
    acronyms.has(letters + count) ||
    (count === '' && !/[AEIOUY]/.test(letters))
  const isOther = alsoWords.has(letters) && count === '' && !isCapital
  if (!isListed && !isOther && plural === '') return undefined
  return `${spaced(letters)}${plural && "'s"}${count && ` ${count}`}`
}

const counted = setOf(`
  act appendix article category chapter class episode grade level mark model part phase round season section stage
  step title type version volume war
`)
const rulers = setOf(`
  alexander benedict catherine charles clement edward elizabeth ferdinand francis frederick george gregory gustav
  harald henry innocent james john leo louis napoleon nicholas paul peter philip pius ramses richard urban william
`)
const roman = /^(?=[IVX]{2,5}$)(X{0,3})(IX|IV|V?I{0,3})$/

/** Roman numerals after a name: "Type II", "Pius XII". */
export const romanRule: Rule = (text, { words, index }) => {
  const before = words[index - 1]
  if (!before || !roman.test(text) || !/^[A-Z]/.test(before.text)) return undefined
  const name = before.text.toLowerCase()
  if (counted.has(name)) return String(romanValue(text))
  // `numbersInWords` reads it with any ending.
  return rulers.has(name) ? `the ${romanValue(text)}th` : undefined
}

function romanValue(text: string): number {
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 }
  const digits = Array.from(text, (letter) => values[letter]!)
  return digits.reduce(
    (sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit),
    0,
  )
}
