import { ChildProcess } from 'node:child_process'

/** Decoders of sound wait half a minute for the next sound, and the test files of a worker share them. */
const isDecoder = ({ spawnargs }: ChildProcess) =>
  spawnargs.some((argument) => /decode-program\.[jt]s$/.test(argument))

/** The child processes of this process that have not exited, without the decoders of sound. */
export function runningChildProcesses(): ChildProcess[] {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] }
  return _getActiveHandles
    .call(process)
    .filter((handle) => handle instanceof ChildProcess)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    .filter((child) => !isDecoder(child))
}
