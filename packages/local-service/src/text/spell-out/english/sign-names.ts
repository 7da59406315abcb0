import { fractions } from './numbers.ts'

const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )
const firstCapital = 0x391
const firstSmall = 0x3b1

const names: ReadonlyMap<string, string> = new Map([
  ...greek.flatMap((name, index): [string, string][] => [
    [String.fromCharCode(firstCapital + index), name],
    [String.fromCharCode(firstSmall + index), name],
  ]),
  ...Object.entries({
    // Units and numbers.
    µ: 'micro',
    '\u2126': 'ohm',
    '°': 'degrees',
    '‰': 'per mille',
    '℃': 'degrees Celsius',
    '℉': 'degrees Fahrenheit',
    '²': 'squared',
    '³': 'cubed',
    '⁄': '/',
    '№': 'number',
    // Currencies.
    '€': 'euros',
    '£': 'pounds',
    '¥': 'yen',
    '₹': 'rupees',
    '₿': 'bitcoin',
    '¢': 'cents',
    // Mathematics.
    '×': 'times',
    '÷': 'divided by',
    '±': 'plus or minus',
    '−': 'minus',
    '∓': 'minus or plus',
    '≈': 'about',
    '≠': 'is not',
    '≤': 'at most',
    '≥': 'at least',
    '≡': 'is',
    '∝': 'is proportional to',
    '∞': 'infinity',
    '√': 'square root of',
    '∑': 'sum of',
    '∏': 'product of',
    '∆': 'delta',
    '∫': 'integral of',
    '∂': 'partial',
    '∈': 'in',
    '∅': 'empty',
    '∴': 'therefore',
    '∠': 'angle',
    // Arrows.
    '→': 'to',
    '←': 'from',
    '↔': 'to and from',
    '⇒': 'to',
    '↑': 'up',
    '↓': 'down',
    // Print.
    '§': 'section',
    '¶': 'paragraph',
    '©': 'copyright',
    '†': 'dagger',
    // Pictures and music.
    '✓': 'check',
    '✔': 'check',
    '✗': 'cross',
    '✘': 'cross',
    '★': 'star',
    '☆': 'star',
    '♯': 'sharp',
    '♭': 'flat',
    ...fractions,
  }),
])
const named = new RegExp(`[${[...names.keys()].join('')}]`, 'gu')

/** Replaces signs and Greek letters with their English names. */
export function nameSigns(text: string): string {
  return text.replace(named, (sign) => ` ${names.get(sign)} `)
}
