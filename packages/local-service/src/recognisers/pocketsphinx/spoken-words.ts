const digits = 'zero one two three four five six seven eight nine'.split(' ')
const teens =
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const signs: Readonly<Record<string, string>> = { '%': 'percent', '°': 'degrees', '&': 'and' }

/** The words of an English sentence as they are spoken, in lower case: `set it to 21 %` → `set it to twenty one percent`. */
export function toSpokenWords(sentence: string): string[] {
  const text = sentence.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'")
  const tokens = text.match(/\d+(?:\.\d+)?|[%°&]|[\p{Letter}\p{Mark}'.-]+/gu) ?? []
  return tokens.flatMap((token) => {
    if (/^\d/.test(token)) return toNumberWords(token)
    const word = signs[token] ?? token.replace(/^[-.]+|[-.]+$/g, '')
    return /[\p{Letter}]/u.test(word) ? [word] : []
  })
}

function toNumberWords(number: string): string[] {
  const [whole = '', decimals] = number.split('.')
  // A longer number is more likely to be a code, whose digits are spoken one by one.
  const words = whole.length > 6 ? toDigits(whole) : toWholeNumber(Number(whole))
  return decimals === undefined ? words : [...words, 'point', ...toDigits(decimals)]
}

function toDigits(number: string): string[] {
  return [...number].map((digit) => digits[Number(digit)]!)
}

function toWholeNumber(number: number): string[] {
  if (number < 10) return [digits[number]!]
  if (number < 20) return [teens[number - 10]!]
  const [size, name] =
    number < 100 ? [10, undefined] : number < 1000 ? [100, 'hundred'] : [1000, 'thousand']
  const count = Math.floor(number / size)
  const head = name ? [...toWholeNumber(count), name] : [tens[count]!]
  const rest = number % size
  return rest === 0 ? head : [...head, ...toWholeNumber(rest)]
}
