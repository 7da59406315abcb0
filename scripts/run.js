import { spawn } from 'node:child_process'
import { nodePath, repository } from './prepare.js'

/** Runs a program with the Node of the install and resolves with its exit code. Ctrl+C reaches it, too. */
export function runNode(programArguments, options = {}) {
  const child = spawn(nodePath(), programArguments, {
    cwd: repository,
    stdio: 'inherit',
    ...options,
  })
  // The terminal sends Ctrl+C to the child as well; this process waits for it to clean up. A signal that was sent to
  // this process alone is handed on.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
