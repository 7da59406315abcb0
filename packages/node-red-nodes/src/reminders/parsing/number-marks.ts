import type { ReminderLanguage } from '../../grammars/reminder-language.ts'

/** A number in words becomes digits and one of these characters, which says where its words are. */
const firstMark = 0xe000
const maxMarks = 0x100
/** The same of an ordinal number, which only a date contains. */
const firstOrdinalMark = firstMark + maxMarks
/** Such a character, or none. */
export const mark = '[\\ue000-\\ue0ff]?'
/** The same, or that of an ordinal number. */
export const dayMark = '[\\ue000-\\ue1ff]?'
/** The same, at the end of a whole number. */
export const wholeMark = `${mark}(?![\\d\\ue000-\\ue1ff])`
const marks = /[\ue000-\ue1ff]/g
const digitsWithMark = /\d+([\ue000-\ue1ff])/g

const wordsWithHyphens = /\p{L}+(?:-\p{L}+)*/gu
/** The last characters of the days of the week are numbers, too: "周一三五八点" is three days, and an hour. */
const hanNumber =
  /[期拜周][一二三四五六日天]+(?![点时十百个分刻小秒])|(?<![期拜周])[〇零一二两三四五六七八九十百]+/g

/** Writes the numbers of a text in digits, so that one short expression finds each of them. */
export function writeDigits(text: string, language: ReminderLanguage) {
  const originals: string[] = []
  const replace = (words: string, value: number, first = firstMark) => {
    if (originals.length >= maxMarks) return words
    originals.push(words)
    return `${value}${String.fromCharCode(first + originals.length - 1)}`
  }
  const digits = language.hasSpaces
    ? replaceWords(text, language, replace)
    : text.replace(hanNumber, (words) => {
        const value = language.numbers[words]
        return value === undefined ? words : replace(words, value)
      })
  return {
    digits,
    /** Puts the words back. A mark without its digits, such as of `um acht0`, is not part of the text. */
    restore: (part: string) =>
      withoutMarks(
        part.replace(
          digitsWithMark,
          (_digits, own: string) => originals[(own.charCodeAt(0) - firstMark) % maxMarks] ?? '',
        ),
      ),
  }
}

/** The value of digits, without their mark. */
export function readDigits(digits: string): number {
  return Number(withoutMarks(digits).replace(',', '.'))
}

export function withoutMarks(text: string): string {
  return text.replace(marks, '')
}

/** Up to five words are one number, such as `a hundred and twenty five`. */
function replaceWords(
  text: string,
  { numbers, ordinals = {} }: ReminderLanguage,
  replace: (words: string, value: number, first: number) => string,
): string {
  const words = [...text.matchAll(wordsWithHyphens)]
  let result = ''
  let end = 0
  for (let index = 0; index < words.length; index++) {
    const { index: start } = words[index]!
    for (const count of [5, 4, 3, 2, 1]) {
      const last = words[index + count - 1]
      if (!last) continue
      const stop = last.index + last[0].length
      const found = text.slice(start, stop)
      const word = found.toLowerCase()
      const isOrdinal = Object.hasOwn(ordinals, word)
      if (!isOrdinal && !Object.hasOwn(numbers, word)) continue
      const written = isOrdinal
        ? replace(found, ordinals[word]!, firstOrdinalMark)
        : replace(found, numbers[word]!, firstMark)
      result += text.slice(end, start) + written
      end = stop
      index += count - 1
      break
    }
  }
  return result + text.slice(end)
}
