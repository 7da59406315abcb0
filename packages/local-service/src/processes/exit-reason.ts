import type { ChildProcess } from 'node:child_process'

/** The end of a process, as `ChildProcess` tells it. */
type Exit = Pick<ChildProcess, 'exitCode' | 'signalCode'>

/**
 * Why a service has exited, for a sentence: what it wrote to its error output at its end, else its signal or exit code. Its log is in
 * lines of JSON there, too: these are about requests that failed before, with stacks.
 */
export function exitReasonOf(errorOutput: string, { exitCode, signalCode }: Exit): string {
  // The first line of the log may be cut at its start.
  const isLog = (line: string) => line.startsWith('{"level":') || line.endsWith('"}')
  const lines = errorOutput.split('\n').filter((line) => !isLog(line))
  const said = lines.join('\n').trim()
  if (said) return said
  return signalCode ? `it was ended with ${signalCode}` : `it exited with code ${exitCode}`
}
