import type { Rule, WordPlace } from '../word.ts'
import { spellDash } from './dashes.ts'

/** Symbols between spaces. */
const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': 'and',
    '+': 'plus',
    '=': 'equals',
    '→': 'to',
    '->': 'to',
    '=>': 'to',
    '@': 'at',
    '~': 'about',
    '©': 'copyright',
    // Comparisons.
    '<': 'less than',
    '>': 'more than',
    '≤': 'at most',
    '≥': 'at least',
    '<=': 'at most',
    '>=': 'at least',
    // Arithmetic.
    '≈': 'about',
    '±': 'plus or minus',
    '×': 'times',
    '÷': 'divided by',
    '≠': 'is not',
    '!=': 'is not',
    // Read as a pause, or not at all.
    '/': ',',
    '•': '',
    '|': '',
    '·': '',
    '™': '',
    '®': '',
  }),
)

/** Symbols that Flite would drop or misread. */
export const symbolRule: Rule = (text, place) => {
  if (/^[x*]$/.test(text) && isBetweenNumbers(place)) return text === 'x' ? 'by' : 'times'
  if (/^[-−–]$/.test(text)) return spellDash(text, place)
  const [, count] = /^#(\d+)$/.exec(text) ?? []
  if (count) return `number ${count}`
  const symbol = symbols.get(text)
  if (symbol !== undefined) return symbol
  if (/[A-Za-z]&[A-Za-z]/.test(text)) return text.replaceAll('&', ' and ')
  return /[™®©]/.test(text) ? text.replace(/[™®©]/g, '') : undefined
}

function isBetweenNumbers({ words, index }: WordPlace): boolean {
  const isNumber = (at: number) => /^\d[\d.,]*$/.test(words[at]?.text ?? '')
  return isNumber(index - 1) && isNumber(index + 1)
}
