import type { ChildProcess } from 'node:child_process'

const killAfterMs = 300
const abandonAfterMs = 3000
const stderrAfterExitMs = 100
const maxStderrCharacters = 2000

/** @returns a function that reads the last characters which the process has printed. */
export function collectStderr(child: ChildProcess): () => string {
  let printed = ''
  child.stderr?.on('data', (data) => {
    printed = (printed + data).slice(-maxStderrCharacters)
  })
  return () => printed
}

/** The last line that a process has printed, which usually names its error. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!.trim()
}

/** Resolves with a description of how the process ended, once it has printed everything. */
export function waitForExit(child: ChildProcess): Promise<string> {
  // A player may exit while it is fed; its exit is what counts.
  child.stdin?.on('error', () => {})
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const exit = signal ? `signal ${signal}` : `exit code ${code}`
      // A process that the program started may keep its output open.
      const limit = setTimeout(() => resolve(exit), stderrAfterExitMs)
      child.once('close', () => {
        clearTimeout(limit)
        resolve(exit)
      })
    })
  })
}

/** Ends a process. @param exited the result of {@link waitForExit}. @returns how the process ended. */
export function terminate(child: ChildProcess, exited: Promise<string>): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    // The system cannot end a process that waits for a broken device.
    const abandon = setTimeout(() => {
      child.unref()
      child.stdin?.destroy()
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve('its process cannot be ended')
    }, abandonAfterMs)
    void exited.then((exit) => {
      clearTimeout(kill)
      clearTimeout(abandon)
      resolve(exit)
    })
  })
}
