import { type Grammar, nextHour, type SpokenTime } from '../grammar.ts'
import { writeHanNumber } from '../number-words.ts'

/** 23 is "二十三". */
const writeNumber = (value: number) => [writeHanNumber(value, false)]

/** 8:30 is also half past eight, "八時半", and 8:50 ten minutes before nine, "九時十分前". */
function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const plain = [`${say(hour)}時${minute ? `${say(minute)}分` : ''}`]
  if (minute === 30) plain.push(`${say(hour)}時半`)
  if (minute > 30) plain.push(`${say(nextHour(hour))}時${say(60 - minute)}分前`)
  return [...plain, ...plain.map((one) => `${one}に`)]
}

export const japanese: Grammar = { writeNumber, sayTime }
