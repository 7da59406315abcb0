import { numberWords, timeWords } from '../../grammars/by-language.ts'

/** Minutes between two times that can be said. */
const stepMinutes = 5

/**
 * The sentences of the times of a day in steps of five minutes, as people say and recognisers write them. The value is a time
 * of the 24-hour clock, such as `07:30`.
 */
export function timeSentences(language: string) {
  const all = new Map<string, { sentence: string; name: string; value: string }>()
  // Half past twelve is at noon, unless somebody says something else.
  for (let minutes = 60; minutes < 25 * 60; minutes += stepMinutes) {
    const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60]
    const value = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
    const inWords = (number: number) => numberWords(number, language).at(-1) ?? String(number)
    const sentences = [
      `${hour}:${String(minute).padStart(2, '0')}`,
      ...timeWords({ hour, minute, say: inWords }, language),
      ...timeWords({ hour, minute, say: String }, language),
    ]
    for (const sentence of sentences) {
      if (!all.has(sentence)) all.set(sentence, { sentence, name: 'time', value })
    }
  }
  return [...all.values()]
}
