/** A block of code: its first line's run of backticks or tildes. */
export type CodeFence = string

/**
 * Reads the line that opens a block of code, at the beginning of `text`.
 *
 * @returns `undefined` where none begins, `'unknown'` when only more text can tell.
 */
export function openFence(text: string, isWhole: boolean): CodeFence | 'unknown' | undefined {
  const opening = /^(`{3,}|~{3,})([^\n]*)(\n?)/.exec(text)
  if (!opening) return !isWhole && /^(?:`{1,2}|~{1,2})$/.test(text) ? 'unknown' : undefined
  const [, fence = '', info = '', newline] = opening
  if (fence.startsWith('`') && info.includes('`')) return undefined
  return newline || isWhole ? fence : 'unknown'
}

/** Whether a line, as it stands without its line break, closes the block. */
export function closesFence(line: string, fence: CodeFence): boolean {
  const run = line.trim()
  return run.length >= fence.length && run === fence.charAt(0).repeat(run.length)
}
