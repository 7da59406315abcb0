import type { Grammar } from './grammar.ts'

/** A word of a list that begins with zero. */
export const small = (words: string, value: number): string => words.split(' ')[value]!

/** @param first the tens with which the list begins. */
export const tensOf = (words: string, value: number, first = 2): string =>
  words.split(' ')[Math.floor(value / 10) - first]!

const digits = '〇一二三四五六七八九'

/**
 * A number up to 9,999 in the characters of Chinese and Japanese.
 * @param isChinese whether `零` stands for tens or hundreds that are left out.
 */
export function writeHanNumber(value: number, isChinese: boolean): string {
  if (value < 10) return isChinese && value === 0 ? '零' : digits[value]!
  const units = ['', '十', '百', '千']
  let text = ''
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.floor(value / 10 ** place) % 10
    const isOneImplied = digit === 1 && (isChinese ? place === 1 && value < 20 : place > 0)
    if (digit > 0) text += `${isOneImplied ? '' : digits[digit]!}${units[place]!}`
    else if (isChinese && text !== '' && value % 10 ** place > 0 && !text.endsWith('零'))
      text += '零'
  }
  return text
}

/**
 * The numbers from 0 to 999, by their words.
 * @param alsoWrittenAs other spellings of a number.
 */
export function numbersByWords(
  writeNumber: Grammar['writeNumber'],
  alsoWrittenAs: (words: string) => readonly string[] = () => [],
): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (let value = 0; value < 1000; value++) {
    for (const words of writeNumber(value)) {
      for (const spelling of [words, ...alsoWrittenAs(words)]) numbers[spelling] = value
    }
  }
  return numbers
}
