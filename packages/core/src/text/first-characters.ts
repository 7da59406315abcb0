/**
 * The beginning of a text. Half of a character, at which a cut between two code units ends, is left out: strict servers reject a
 * request with it.
 * @param maxCharacters code units, as `length` counts them.
 */
export function firstCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
}
