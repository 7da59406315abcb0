import { type Grammar, nextHour, type SpokenTime, twelveHour } from '../grammar.ts'
import { small, tensOf } from '../number-words.ts'

const words = {
  small:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
}

function inWords(value: number): string {
  if (value < 20) return small(words.small, value)
  if (value < 100) {
    const rest = value % 10
    const tens = tensOf(words.tens, value)
    return rest ? `${tens} ${small(words.small, rest)}` : tens
  }
  const [size, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand']
  const rest = value % size
  const head = `${inWords(Math.floor(value / size))} ${name}`
  return rest ? `${head} ${inWords(rest)}` : head
}

const writeNumber = (value: number) => [inWords(value)]

function sayTime({ hour, minute, say }: SpokenTime): string[] {
  const clock = `${say(twelveHour(hour))}${minute ? ` ${englishMinutes(minute, say)}` : ''}`
  const spoken = onTwelve({ hour, minute, say })
  const day = hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening'
  const isTwelve = hour >= 1 && hour <= 12
  const plain = isTwelve ? clock : `${say(hour)} ${englishMinutes(minute, say)}`
  const exact = [plain, `${clock} ${day}`, `${clock} ${hour < 12 ? 'a m' : 'p m'}`]
  const others = [...(isTwelve ? [spoken] : []), `${spoken} ${day}`]
  // A service accepts 5,000 sentences, so "ten past seven in the evening" is only without "at".
  const withAt = minute % 15 === 0 ? others : isTwelve ? [spoken] : []
  const all = [...exact, ...others, ...[...exact, ...withAt].map((one) => `at ${one}`)]
  return all.filter((one) => !onlySaid.test(one))
}

/** A recogniser that writes digits writes "7:05" and "13:00". */
const onlySaid = /oh \d|\d hundred/

/** `half past seven`, `ten to eight` or `seven o'clock`. */
function onTwelve({ hour, minute, say }: SpokenTime): string {
  const [last, next] = [say(twelveHour(hour)), say(twelveHour(nextHour(hour)))]
  if (minute === 0) return `${last} o'clock`
  if (minute === 30) return `half past ${last}`
  const quarterOr = (minutes: number) => (minutes === 15 ? 'quarter' : say(minutes))
  return minute < 30 ? `${quarterOr(minute)} past ${last}` : `${quarterOr(60 - minute)} to ${next}`
}

function englishMinutes(minute: number, say: (value: number) => string): string {
  if (minute === 0) return 'hundred'
  return minute < 10 ? `oh ${say(minute)}` : say(minute)
}

export const english: Grammar = { writeNumber, sayTime }
