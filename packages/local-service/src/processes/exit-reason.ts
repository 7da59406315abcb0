import type { ChildProcess } from 'node:child_process'

/** The end of a process, as `ChildProcess` tells it. */
type Exit = Pick<ChildProcess, 'exitCode' | 'signalCode'>

/**
 * Why a service has exited, for a sentence: what it wrote to its error output at its end, else its signal or exit code. Its log is in
 * lines of JSON there, too: these are about requests that failed before, with stacks.
 */
export function exitReasonOf(errorOutput: string, { exitCode, signalCode }: Exit): string {
  const isLog = (line: string, index: number) => {
    // The output is cut at its start, perhaps within a line of the log.
    return line.startsWith('{"level":') || (index === 0 && line.endsWith('"}'))
  }
  const lines = errorOutput.split('\n').filter((line, index) => !isLog(line, index))
  const said = lines.join('\n').trim()
  if (said) return said
  return signalCode ? `it was ended with ${signalCode}` : `it exited with code ${exitCode}`
}
