import type { Language, LanguageRule } from './language.ts'
import { spellNumber } from './numbers.ts'

const scheme = /^(?:https?|wss?|ftp|mqtts?|rtsp):\/\//i
const vowel = /[AEIOUYÄÖÜÅÉÈ]/
/** Letters that would be read as a word. Those without a vowel are always spelled. */
const acronyms = new Set(
  'LED USB IP ID KI AI UV EU CO UPS API PIR VOC NAS AC RGB IR UHD TVOC AQI OTA ESP'.split(' '),
)

/** Addresses and names of devices: "TRÅDFRI E27", "ESP32", "CO₂", "light.kitchen_lamp", "192.168.1.10", "und/oder". */
export const spellName: LanguageRule = ({ language, words: [word = ''] }) => {
  const { dot, at } = language.words
  const numbers = /^v?(\d{1,4}(?:\.\d{1,5}){2,3})$/i.exec(word)
  if (numbers) {
    const parts = numbers[1]!.split('.').map((part) => spellNumber(language, part))
    return [parts.join(` ${dot} `)]
  }
  if (scheme.test(word) || /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(word) || isHost(word)) {
    const plain = word.replace(scheme, '').replace(/\/$/, '')
    return [
      plain
        .split(/([.@/_-])/)
        .map((part) => addressMarks(dot, at)[part] ?? spellPart(language, part) ?? part)
        .filter((part) => part !== '')
        .join(' '),
    ]
  }
  const [, one, other] = /^(\d{1,3}):(\d{1,3})$/.exec(word) ?? []
  if (one && other) {
    const [first, second] = [one, other].map((part) => spellNumber(language, part))
    return [`${first} ${language.words.against} ${second}`]
  }
  if (/^#\d{1,6}$/.test(word))
    return [`${language.signs['#']} ${spellNumber(language, word.slice(1))}`]
  if (!/[\d_/-]/.test(word) && !/^\p{Lu}{2,}$/u.test(word)) return undefined
  const parts = word.split(/[_/-]/).filter((part) => part !== '')
  if (parts.length === 0) return undefined
  const spelled = parts.map((part) => spellPart(language, part))
  const isSeparated = /[_/]/.test(word)
  if (!isSeparated && spelled.every((part) => part === undefined)) return undefined
  return [parts.map((part, index) => spelled[index] ?? part).join(' ')]
}

const addressMarks = (dot: string, at: string): Readonly<Record<string, string>> => ({
  '.': dot,
  '@': at,
  '/': 'slash',
  _: '',
  '-': '',
})

/** "parlando.example", "light.kitchen_lamp" */
function isHost(word: string): boolean {
  return /^\p{Ll}[\p{Ll}\d_-]+(?:\.\p{Ll}[\p{Ll}\d_-]+)+$/u.test(word)
}

/** "E27": letters and numbers. "LED": letters one by one. */
function spellPart(language: Language, part: string): string | undefined {
  if (/^\d+(?:[.,]\d+)?$/.test(part)) return spellNumber(language, part)
  const mixed = /^(\d{0,4})(\p{L}{0,12})(\d{0,5}(?:[.,]\d{1,2})?)(\p{L}?)$/u.exec(part)
  if (mixed && /\d/.test(part)) {
    const [, first = '', letters = '', last = '', letter = ''] = mixed
    const pieces = [
      first && spellNumber(language, first),
      spellLetters(letters) ?? letters,
      last && spellNumber(language, last),
      letter,
    ]
    return pieces.filter((piece) => piece !== '').join(' ')
  }
  return spellLetters(part)
}

function spellLetters(letters: string): string | undefined {
  if (!/^\p{Lu}{1,6}$/u.test(letters)) return undefined
  const isSpelled = acronyms.has(letters) || !vowel.test(letters)
  return isSpelled && letters.length < 6 ? Array.from(letters).join(' ') : undefined
}
