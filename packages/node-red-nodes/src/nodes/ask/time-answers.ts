import { numberWords } from '../../reminders/languages/number-words.ts'

/** Minutes between two times that can be said. */
const stepMinutes = 5

/** A time as somebody says it. */
interface Spoken {
  hour: number
  minute: number
  /** In words, or digits where a language has none. */
  say(value: number): string
}

type Writer = (time: Spoken) => string[]

const twelve = (hour: number) => hour % 12 || 12
const next = (hour: number) => (hour + 1) % 24

/** How each language says a time of the 24-hour clock. A time of the morning can be said without the part of the day. */
const writers: Readonly<Record<string, Writer>> = {
  en({ hour, minute, say }) {
    const part = hour < 12 ? 'a m' : 'p m'
    const onTwelve = [`${say(twelve(hour))}${minute ? ` ${englishMinutes(minute, say)}` : ''}`]
    if (minute === 30) onTwelve.push(`half past ${say(twelve(hour))}`)
    if (minute === 15) onTwelve.push(`quarter past ${say(twelve(hour))}`)
    if (minute === 45) onTwelve.push(`quarter to ${say(twelve(next(hour)))}`)
    if (minute === 0) onTwelve.push(`${say(twelve(hour))} o'clock`)
    const day = hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening'
    const plain =
      hour >= 1 && hour <= 12 ? onTwelve : [`${say(hour)} ${englishMinutes(minute, say)}`]
    const named = onTwelve.flatMap((one) => [`${one} ${day}`, `${one} ${part}`])
    const all = [...plain, ...named]
    return [...all, ...all.map((one) => `at ${one}`)]
  },
  de({ hour, minute, say }) {
    const plain = [`${say(hour)} Uhr${minute ? ` ${say(minute)}` : ''}`]
    if (minute === 30) plain.push(`halb ${say(twelve(next(hour)))}`)
    if (minute === 15) plain.push(`Viertel nach ${say(twelve(hour))}`)
    if (minute === 45) plain.push(`Viertel vor ${say(twelve(next(hour)))}`)
    return [...plain, ...plain.map((one) => `um ${one}`)]
  },
  fr({ hour, minute, say }) {
    const hours = `${say(hour)} heure${hour > 1 ? 's' : ''}`.replace(/^un heure/, 'une heure')
    const plain = [`${hours}${minute ? ` ${say(minute)}` : ''}`]
    if (minute === 30) plain.push(`${hours} et demie`)
    if (minute === 15) plain.push(`${hours} et quart`)
    if (hour === 12 && minute === 0) plain.push('midi')
    if (hour === 0 && minute === 0) plain.push('minuit')
    return [...plain, ...plain.map((one) => `à ${one}`)]
  },
  es({ hour, minute, say }) {
    const name = (value: number) => (value === 1 ? 'la una' : `las ${say(value)}`)
    const plain = [`${name(hour)}${minute ? ` y ${say(minute)}` : ''}`]
    if (minute) plain.push(`${name(hour)} ${say(minute)}`)
    if (minute === 0) plain.push(`${name(hour)} en punto`)
    if (minute === 30) plain.push(`${name(hour)} y media`)
    if (minute === 15) plain.push(`${name(hour)} y cuarto`)
    if (minute === 45) plain.push(`${name(next(hour))} menos cuarto`)
    return [...plain, ...plain.map((one) => `a ${one}`)]
  },
  ja({ hour, minute, say }) {
    const plain = [`${say(hour)}時${minute ? `${say(minute)}分` : ''}`]
    if (minute === 30) plain.push(`${say(hour)}時半`)
    return [...plain, ...plain.map((one) => `${one}に`)]
  },
  zh({ hour, minute, say }) {
    const plain = [`${say(hour)}点${minute ? `${say(minute)}分` : ''}`]
    if (minute) plain.push(`${say(hour)}点${say(minute)}`)
    if (minute === 30) plain.push(`${say(hour)}点半`)
    return plain
  },
}

function englishMinutes(minute: number, say: (value: number) => string): string {
  if (minute === 0) return 'hundred'
  return minute < 10 ? `oh ${say(minute)}` : say(minute)
}

/**
 * The sentences of the times of a day in steps of five minutes, as people say and recognisers write them. The value is a time
 * of the 24-hour clock, such as `07:30`.
 */
export function timeSentences(language: string) {
  const write = writers[language] ?? writers['en']!
  const all = new Map<string, { sentence: string; name: string; value: string }>()
  // Half past twelve is at noon, unless somebody says something else.
  for (let minutes = 60; minutes < 25 * 60; minutes += stepMinutes) {
    const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60]
    const value = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
    const inWords = (number: number) => numberWords(number, language).at(-1) ?? String(number)
    const sentences = [
      `${hour}:${String(minute).padStart(2, '0')}`,
      ...write({ hour, minute, say: inWords }),
      ...write({ hour, minute, say: String }),
    ]
    for (const sentence of sentences) {
      if (!all.has(sentence)) all.set(sentence, { sentence, name: 'time', value })
    }
  }
  return [...all.values()]
}
