const blockStart =
  /^[^\S\n]*(?:[-*+•][^\S\n]|#{1,6}[^\S\n]|\d{1,3}[.)][^\S\n]|[>|]|`{3}|~{3}|[-_=*]{3})/
const unfinishedBlockStart = /^[^\S\n]*(?:[-*+•]|#{1,6}|\d{1,3}[.)]?|`{1,2}|~{1,2}|[-_=*]{1,2})?$/

/**
 * Whether a line break ends a sentence. It does after a heading, list item, table row, quote or colon, and before one of
 * these, a code fence or an empty line. Any other line break is a space.
 *
 * @param line the line before the break, from its beginning.
 * @param rest the text after the break.
 * @param isWhole whether no more text follows.
 * @returns `undefined` if only more text can decide.
 */
export function isLineEnd(line: string, rest: string, isWhole: boolean): boolean | undefined {
  if (blockStart.test(line) || /[:：]\s*$/.test(line)) return true
  if (blockStart.test(rest)) return true
  const newline = rest.indexOf('\n')
  if (newline < 0 && !isWhole && unfinishedBlockStart.test(rest)) return undefined
  return (newline < 0 ? rest : rest.slice(0, newline)).trim() === ''
}
