const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales = ['', ' thousand', ' million', ' billion', ' trillion']
/** Longer numbers are read digit by digit. */
const maxDigits = scales.length * 3

const ordinalWords: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

/** @param digits only digits. @returns them in words: "one thousand two hundred three". */
function cardinal(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '')
  if (plain.length > maxDigits) return digitByDigit(plain)
  if (plain === '0') return 'zero'
  const groups = plain.padStart(Math.ceil(plain.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  return groups
    .flatMap((group, index) => {
      const words = hundreds(Number(group))
      return words === '' ? [] : words + scales[groups.length - 1 - index]
    })
    .join(' ')
}

/** @returns 0 to 999 in words; empty for 0. */
function hundreds(value: number): string {
  const rest = value % 100 === 0 ? '' : inWords(value % 100)
  const hundred = value >= 100 ? `${ones[Math.floor(value / 100)]} hundred` : ''
  return [hundred, rest].filter((part) => part !== '').join(' ')
}

/** @returns 0 to 99 in words. */
export function inWords(value: number): string {
  if (value < ones.length) return ones[value]!
  const last = value % 10
  return last === 0 ? tens[value / 10]! : `${tens[Math.floor(value / 10)]} ${ones[last]}`
}

/** @param digits only digits. @returns "twenty third". */
function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ')
  const last = words.pop()!
  return [...words, ordinalWords[last] ?? `${last.replace(/y$/, 'ie')}th`].join(' ')
}

/** @returns each digit as a word; other characters stay. */
function digitByDigit(text: string): string {
  return Array.from(text, (character) => ones[Number(character)] ?? character).join(' ')
}

/** @param digits four digits. @returns "nineteen eighty four", "two thousand five". */
function yearWords(digits: string): string {
  const [century, rest] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (century % 10 === 0 && rest < 10) return cardinal(digits)
  if (rest === 0) return `${inWords(century)} hundred`
  return `${inWords(century)} ${rest < 10 ? 'oh ' : ''}${inWords(rest)}`
}

/** Whether a/b is less than one. Others are two numbers, such as a blood pressure of 120/80. */
export function isFraction(numerator: string, denominator: string): boolean {
  return Number(numerator) < Number(denominator)
}

/** @param denominator only digits. */
function fraction(numerator: string, denominator: string): string {
  if (denominator === '1') return cardinal(numerator)
  if (!isFraction(numerator, denominator)) {
    const isSame = numerator === denominator
    const between = !isSame ? 'over ' : /^[25]0$/.test(denominator) ? '' : 'out of '
    return `${cardinal(numerator)} ${between}${cardinal(denominator)}`
  }
  const isOne = Number(numerator) === 1
  if (denominator === '2') return isOne ? 'a half' : `${cardinal(numerator)} halves`
  return `${cardinal(numerator)} ${ordinal(denominator)}${isOne ? '' : 's'}`
}

const decade = /^\d{2}(\d)0$/

function plural(words: string): string {
  return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`
}

function integer(digits: string): string {
  if (/^0\d/.test(digits)) return digitByDigit(digits)
  return /^(?:1[1-9]|20)\d\d$/.test(digits) ? yearWords(digits) : cardinal(digits)
}

/** Forms of numbers, the longer ones first. */
const forms: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d)/g, (all) => cardinal(all.replaceAll(',', ''))],
  [
    /(\d{1,6}) (\d{1,3})\/(\d{1,3})(?![\d/])/g,
    (_, whole, upper, lower) =>
      `${cardinal(whole!)} ${isFraction(upper!, lower!) ? 'and ' : ''}${fraction(upper!, lower!)}`,
  ],
  [/(?<![\d/])(\d{1,3})\/(\d{1,3})(?![\d/])/g, (_, upper, lower) => fraction(upper!, lower!)],
  [/(?<!\d)(\d{1,12})(?:st|nd|rd|th)(?![a-z\d])/gi, (_, digits) => ordinal(digits!)],
  [
    /(?<!\d)(\d{4}|\d0)s(?![a-z\d])/g,
    (_, digits) => plural(decade.test(digits!) ? yearWords(digits!) : cardinal(digits!)),
  ],
  [/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/gi, () => ' '],
  [/(\d)-(?=\d)/g, (_, digit) => `${digit} to `],
  [/(\d)\.(\d+)/g, (_, digit, decimals) => `${digit} point ${digitByDigit(decimals!)}`],
  [/(?<!\d)\.(\d+)/g, (_, decimals) => ` point ${digitByDigit(decimals!)}`],
  [/\d+/g, (digits) => integer(digits)],
]

/**
 * Writes every number in words. An engine that reads the digits itself decides by the words around them, which another cut
 * of the text takes away. A number of four digits without a comma is read as a year.
 */
export function numbersInWords(text: string): string {
  if (!/\d/.test(text)) return text
  let words = text
  for (const [form, write] of forms) words = words.replace(form, write)
  return words
}
