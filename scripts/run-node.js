import { spawn } from 'node:child_process'
import { nodePath, repository } from './prepare.js'

/** Runs a program with the installed Node and resolves with its exit code. It also receives Ctrl+C. */
export function runNode(programArguments, options = {}) {
  const child = spawn(nodePath(), programArguments, {
    cwd: repository,
    stdio: 'inherit',
    ...options,
  })
  // The terminal also sends Ctrl+C to the child; this process waits for the child to clean up. SIGTERM reaches only this
  // process, so it is forwarded.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
