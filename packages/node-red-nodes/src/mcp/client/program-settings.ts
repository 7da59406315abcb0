/**
 * Splits a command line into the program and its arguments, without a shell. Quotes keep blanks, as in `"my folder"`; a
 * backslash is an ordinary character, as in the paths of Windows.
 */
export function splitCommandLine(line: string): string[] {
  const words = line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*'|["'])+/g)
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

/** Reads environment variables: one `NAME=value` per line, in which `{key}` is replaced. Other lines are ignored. */
export function readVariables(lines: string, key: string): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const line of lines.split('\n')) {
    const equals = line.indexOf('=')
    const name = line.slice(0, Math.max(0, equals)).trim()
    if (!/^\w+$/.test(name)) continue
    variables[name] = line
      .slice(equals + 1)
      .trim()
      .replaceAll('{key}', () => key)
  }
  return variables
}
