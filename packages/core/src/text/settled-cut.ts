/** A word and its marks. It bounds the search in text without spaces. */
const maxWordCharacters = 40

const wordBefore = /\S+$/u
const wordAfter = /^\s*(\S+)/u
/** Letters only, or any word with the mark of a clause after it. "IT" may be a word or letters. */
const settledBefore = /^["'“‘«([]*(?!\p{Lu}{2})(?:[\p{L}\p{M}'’-]+|\S*[,;:!?…])["'”’»)\]]*$/u
/** A word without digits and signs, which is not a Roman numeral. */
const settledAfter = /^["'“‘«([¿¡]*(?![IVX]{2,}(?!\p{L}))\p{L}[^\d%°€$£¥@&+=/]*$/u

/**
 * Whether a text can be cut at a space without changing how the words around it are read. Numbers, signs and what they belong
 * to stay together: "5 | km", "PIN is | 4071", "10, | 20", "Chapter | IV".
 * @param index the start or the end of the space.
 */
export function isSettledCut(text: string, index: number): boolean {
  const before = wordBefore.exec(
    text.slice(Math.max(0, index - maxWordCharacters), index).trimEnd(),
  )
  const after = wordAfter.exec(text.slice(index, index + maxWordCharacters))
  return settledBefore.test(before?.[0] ?? '') && settledAfter.test(after?.[1] ?? '')
}
