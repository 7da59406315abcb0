/** A word and its marks. It bounds the search in text without spaces. */
const maxWordCharacters = 40

const quotesBefore = /^["'“‘«([]+/u
/** The lookbehind prevents a second search of the same characters. */
const quotesAfter = /(?<!["'”’»)\]])["'”’»)\]]+$/u
const lettersOnly = /^(?!-+$)[\p{L}\p{M}'’-]+$/u
const clauseMark = /[,;:!?…]$/u
/** "IT" may be a word or letters. */
const capitals = /^\p{Lu}{2}/u
/** The word after it decides whether it is a unit: "2 in thick", but "2 in the kitchen". */
const perhapsInches = /\d\S{0,3}\s+in$/i
/** The hour after them decides how both are read: "Sono le 1:00" is "è l'una". */
const perhapsOneOclock = /(?<!\p{L})(?:sono le|son las)$/iu
/** A word without digits and signs, which is not a Roman numeral. */
const settledAfter = /^["'“‘«([¿¡]*(?![IVX]{2,}(?!\p{L}))\p{L}[^\d%°€$£¥@&+=/]*$/u

/**
 * Whether a text can be cut at a space without changing how the words around it are read. Numbers, signs and what they belong
 * to stay together: "5 | km", "2 in | thick", "PIN is | 4071", "10, | 20", "Chapter | IV",
 * "sono | le".
 * @param index the start or the end of the space.
 */
export function isSettledCut(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maxWordCharacters), index).trimEnd()
  const after = text.slice(index, index + maxWordCharacters).trimStart()
  if (perhapsInches.test(before)) return false
  const [last, next] = [before.split(/\s/).pop() ?? '', after.split(/\s/)[0] ?? '']
  if (perhapsOneOclock.test(`${last} ${next}`)) return false
  return isSettled(last) && settledAfter.test(next)
}

/** Letters only, but no dash, which the next word may make a range: "Mon - | Fri". Or any word with the mark of a clause after it. */
function isSettled(word: string): boolean {
  const bare = word.replace(quotesBefore, '').replace(quotesAfter, '')
  return !capitals.test(bare) && (lettersOnly.test(bare) || clauseMark.test(bare))
}
