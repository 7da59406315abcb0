/** The run of backticks or tildes that opens a code block. */
export type CodeFence = string

/**
 * Reads the line that opens a code block, at the beginning of `text`.
 *
 * @param isWhole whether no more text follows.
 * @returns `undefined` if no block begins, `'unknown'` if only more text can decide.
 */
export function openFence(text: string, isWhole: boolean): CodeFence | 'unknown' | undefined {
  const opening = /^(`{3,}|~{3,})([^\n]*)(\n?)/.exec(text)
  if (!opening) return !isWhole && /^(?:`{1,2}|~{1,2})$/.test(text) ? 'unknown' : undefined
  const [, fence = '', info = '', newline] = opening
  if (fence.startsWith('`') && info.includes('`')) return undefined
  return newline || isWhole ? fence : 'unknown'
}

/** Whether a line, without its line break, closes the block. */
export function closesFence(line: string, fence: CodeFence): boolean {
  const run = line.trim()
  return run.length >= fence.length && run === fence.charAt(0).repeat(run.length)
}
