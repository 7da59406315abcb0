import { type Grammar, nextHour, type SpokenTime } from '../grammar.ts'
import { small, tensOf } from '../number-words.ts'

const words = {
  small:
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
  tens: 'vingt trente quarante cinquante soixante',
}

function inWords(value: number): string {
  if (value < 20) return small(words.small, value)
  if (value < 100) {
    // Seventy is sixty ten, eighty is four twenties.
    const isScore = value >= 60
    const base = isScore ? (value < 80 ? 60 : 80) : Math.floor(value / 10) * 10
    const rest = value - base
    const tens = base === 80 ? (rest ? 'quatre-vingt' : 'quatre-vingts') : tensOf(words.tens, base)
    if (rest === 0) return tens
    const isJoined = base < 80 && (rest === 1 || rest === 11)
    return `${tens}${isJoined ? ' et ' : '-'}${small(words.small, rest)}`
  }
  const [size, name] = value < 1000 ? [100, 'cent'] : [1000, 'mille']
  const count = Math.floor(value / size)
  const rest = value % size
  const plural = size === 100 && count > 1 && rest === 0 ? 's' : ''
  const head = `${count > 1 ? `${inWords(count)} ` : ''}${name}${plural}`
  return rest ? `${head} ${inWords(rest)}` : head
}

const writeNumber = (value: number) => [inWords(value)]

function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const namesOf = (value: number) => {
    const hours = `${say(value)} heure${value > 1 ? 's' : ''}`.replace(/^un heure/, 'une heure')
    return value === 12 ? [hours, 'midi'] : value === 0 ? [hours, 'minuit'] : [hours]
  }
  const plain = namesOf(hour).flatMap((name) => {
    const exact = `${name}${minute ? ` ${say(minute)}` : ''}`
    if (minute === 30) return [exact, `${name} ${name.includes('heure') ? 'et demie' : 'et demi'}`]
    return minute === 15 ? [exact, `${name} et quart`] : [exact]
  })
  if (minute > 30) {
    const left = minute === 45 ? 'le quart' : say(60 - minute)
    plain.push(...namesOf(nextHour(hour)).map((name) => `${name} moins ${left}`))
  }
  return [...plain, ...plain.map((one) => `à ${one}`)]
}

export const french: Grammar = { writeNumber, sayTime }
