const blockStart =
  /^[^\S\n]*(?:[-*+•][^\S\n]|#{1,6}[^\S\n]|\d{1,3}[.)][^\S\n]|[>|]|`{3}|~{3}|[-_=*]{3})/
const unfinishedBlockStart = /^[^\S\n]*(?:[-*+•]|#{1,6}|\d{1,3}[.)]?|`{1,2}|~{1,2}|[-_=*]{1,2})?$/

/**
 * Whether a line break ends what is being said: after a heading, an item of a list, a row of a table, a quote or a
 * colon, and before one of these, a code fence or an empty line. Other line breaks are spaces.
 *
 * @param line the line before the break, from its beginning. @param rest what comes after it.
 * @param isWhole whether `rest` is all there will be.
 * @returns `undefined` when only more text can tell.
 */
export function isLineEnd(line: string, rest: string, isWhole: boolean): boolean | undefined {
  if (blockStart.test(line) || /[:：]\s*$/.test(line)) return true
  if (blockStart.test(rest)) return true
  const newline = rest.indexOf('\n')
  if (newline < 0 && !isWhole && unfinishedBlockStart.test(rest)) return undefined
  return (newline < 0 ? rest : rest.slice(0, newline)).trim() === ''
}
