import { type Grammar, nextHour, type SpokenTime } from '../grammar.ts'
import { small, tensOf } from '../number-words.ts'

const words = {
  small:
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  tens: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  hundreds:
    'ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
}

function inWords(value: number): string {
  if (value < 30) return small(words.small, value)
  if (value < 100) {
    const rest = value % 10
    const tens = tensOf(words.tens, value, 3)
    return rest ? `${tens} y ${small(words.small, rest)}` : tens
  }
  if (value === 100) return 'cien'
  if (value < 1000) {
    const head = words.hundreds.split(' ')[Math.floor(value / 100) - 1]!
    return value % 100 ? `${head} ${inWords(value % 100)}` : head
  }
  const count = Math.floor(value / 1000)
  const head = count > 1 ? `${inWords(count)} mil` : 'mil'
  return value % 1000 ? `${head} ${inWords(value % 1000)}` : head
}

const writeNumber = (value: number) => [inWords(value)]

function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const name = (value: number) => (value === 1 ? 'la una' : `las ${say(value)}`)
  const plain = [`${name(hour)}${minute ? ` y ${say(minute)}` : ''}`]
  if (minute) plain.push(`${name(hour)} ${say(minute)}`)
  if (minute === 0) plain.push(`${name(hour)} en punto`)
  if (minute === 30) plain.push(`${name(hour)} y media`)
  if (minute === 15) plain.push(`${name(hour)} y cuarto`)
  if (minute > 30) {
    const left = minute === 45 ? 'cuarto' : say(60 - minute)
    plain.push(`${name(nextHour(hour))} menos ${left}`)
  }
  return [...plain, ...plain.map((one) => `a ${one}`)]
}

export const spanish: Grammar = { writeNumber, sayTime }
