import type { ChildProcess } from 'node:child_process'

/**
 * Ends a program with this process, if nothing has ended it before: a benchmark that fails would leave it running.
 * @returns the program.
 */
export function endWithProcess(child: ChildProcess): ChildProcess {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}
