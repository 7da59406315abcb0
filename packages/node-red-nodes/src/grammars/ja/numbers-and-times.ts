import { type Grammar, nextHour, type SpokenTime } from '../grammar.ts'
import { writeHanNumber } from '../number-words.ts'

const writeNumber = (value: number) => [writeHanNumber(value, false)]

function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const plain = [`${say(hour)}時${minute ? `${say(minute)}分` : ''}`]
  if (minute === 30) plain.push(`${say(hour)}時半`)
  if (minute > 30) plain.push(`${say(nextHour(hour))}時${say(60 - minute)}分前`)
  return [...plain, ...plain.map((one) => `${one}に`)]
}

export const japanese: Grammar = { writeNumber, sayTime }
