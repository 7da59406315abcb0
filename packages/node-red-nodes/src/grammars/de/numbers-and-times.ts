import { type Grammar, nextHour, type SpokenTime, twelveHour } from '../grammar.ts'
import { small, tensOf } from '../number-words.ts'

const words = {
  small:
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
}

function inWords(value: number): string {
  if (value < 20) return small(words.small, value)
  if (value < 100) {
    const rest = value % 10
    const tens = tensOf(words.tens, value)
    return rest ? `${rest === 1 ? 'ein' : small(words.small, rest)}und${tens}` : tens
  }
  const [size, name] = value < 1000 ? [100, 'hundert'] : [1000, 'tausend']
  const count = Math.floor(value / size)
  const rest = value % size
  return `${count === 1 ? 'ein' : inWords(count)}${name}${rest ? inWords(rest) : ''}`
}

const writeNumber = (value: number) => (value === 2 ? ['zwei', 'zwo'] : [inWords(value)])

function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const plain = [`${say(hour)} Uhr${minute ? ` ${say(minute)}` : ''}`]
  const [last, next] = [say(twelveHour(hour)), say(twelveHour(nextHour(hour)))]
  const quarterOr = (minutes: number) => (minutes === 15 ? 'Viertel' : say(minutes))
  if (minute === 30) plain.push(`halb ${next}`)
  if (minute > 0 && minute < 25) plain.push(`${quarterOr(minute)} nach ${last}`)
  if (minute > 35) plain.push(`${quarterOr(60 - minute)} vor ${next}`)
  if (minute >= 20 && minute < 30) plain.push(`${say(30 - minute)} vor halb ${next}`)
  if (minute > 30 && minute <= 40) plain.push(`${say(minute - 30)} nach halb ${next}`)
  return [...plain, ...plain.map((one) => `um ${one}`)]
}

export const german: Grammar = { writeNumber, sayTime }
