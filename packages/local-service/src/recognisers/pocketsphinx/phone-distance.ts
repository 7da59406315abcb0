// A recogniser often confuses these sounds, which differ only in the voice: the end of "lights" and that of "lives".
const pairs = 'P B,T D,K G,F V,TH DH,S Z,SH ZH,CH JH'.split(',').map((pair) => pair.split(' '))
const partners = new Map(
  pairs.flatMap(([voiceless = '', voiced = '']) => [
    [voiceless, voiced],
    [voiced, voiceless],
  ]),
)
const pairCost = 0.5

/**
 * Compares two sequences of sounds.
 * @returns the number of sounds to insert, remove or replace, divided by the length of the longer sequence: 0 for equal
 * ones, at most 1. A voiced sound instead of its voiceless partner counts half.
 */
export function phoneDistance(first: readonly string[], second: readonly string[]): number {
  const longer = Math.max(first.length, second.length)
  if (longer === 0) return 0
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (const [row, phone] of first.entries()) {
    const current = [row + 1]
    for (const [column, other] of second.entries()) {
      const replaced = previous[column]! + replacementCost(phone, other)
      current.push(Math.min(replaced, previous[column + 1]! + 1, current[column]! + 1))
    }
    previous = current
  }
  return previous.at(-1)! / longer
}

/** @returns the index of the S or Z that the first sequence has more than the second one; undefined if they differ in anything else. */
export function findExtraSibilant(
  first: readonly string[],
  second: readonly string[],
): number | undefined {
  if (first.length !== second.length + 1) return undefined
  const different = first.findIndex((phone, index) => phone !== second[index])
  const isSibilant = ['S', 'Z'].includes(first[different]!)
  const isRestEqual = first.slice(different + 1).join(' ') === second.slice(different).join(' ')
  return isSibilant && isRestEqual ? different : undefined
}

/** @param phone of the dictionary of pocketsphinx, in which only the names of vowels begin with a vowel: AA, EH, UW. */
export function isVowel(phone: string): boolean {
  return /^[AEIOU]/.test(phone)
}

function replacementCost(phone: string, other: string): number {
  if (phone === other) return 0
  return partners.get(phone) === other ? pairCost : 1
}
