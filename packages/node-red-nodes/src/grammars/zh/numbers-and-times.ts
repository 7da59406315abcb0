import { type Grammar, nextHour, type SpokenTime } from '../grammar.ts'
import { writeHanNumber } from '../number-words.ts'

const writeNumber = (value: number) => (value === 2 ? ['二', '两'] : [writeHanNumber(value, true)])

function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const plain = [`${say(hour)}点${minute ? `${say(minute)}分` : ''}`]
  if (minute) plain.push(`${say(hour)}点${say(minute)}`)
  if (minute === 30) plain.push(`${say(hour)}点半`)
  if (minute === 15) plain.push(`${say(hour)}点一刻`)
  if (minute === 45) plain.push(`${say(hour)}点三刻`)
  if (minute > 30) {
    const [left, next] = [minute === 45 ? '一刻' : `${say(60 - minute)}分`, say(nextHour(hour))]
    plain.push(`差${left}${next}点`, `${next}点差${left}`)
  }
  return plain
}

export const chinese: Grammar = { writeNumber, sayTime }
