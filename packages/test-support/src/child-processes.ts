import { ChildProcess } from 'node:child_process'

/** The child processes of this process that have not exited. */
export function runningChildProcesses(): ChildProcess[] {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] }
  return _getActiveHandles
    .call(process)
    .filter((handle) => handle instanceof ChildProcess)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
}
