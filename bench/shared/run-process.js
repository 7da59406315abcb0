import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Starts a program that ends with this process. @returns the child process and its first message. */
export async function startProcess(url, { task, nodeOptions = [], environment = {} } = {}) {
  const program = fileURLToPath(url)
  const env = { ...process.env, ...environment }
  const child = fork(program, { execArgv: nodeOptions, env })
  if (task) child.send(task)
  const message = await new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${basename(program)} ended without sending a message`))
    child.once('error', reject)
    child.once('exit', onExit)
    child.once('message', (firstMessage) => {
      child.off('exit', onExit)
      resolve(firstMessage)
    })
  })
  return { child, message }
}

/** Runs a program to its end. @returns its only message. */
export async function runProcess(url, options) {
  const { child, message } = await startProcess(url, options)
  await endProcess(child)
  return message
}

/** The time that a Node.js process takes that does nothing: a measure of the machine and its load. */
export async function emptyProcessMs() {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['--eval', '']), 'exit')
  return performance.now() - startedAt
}

/** The resident memory of a Node.js process that does nothing. */
export function emptyProcessMiB() {
  const program = 'process.stdout.write(String(process.memoryUsage.rss()))'
  return Number(execFileSync(process.execPath, ['--eval', program])) / 1024 ** 2
}

export async function endProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  // The program exits when it is disconnected.
  if (child.connected) child.disconnect()
  await exited
}
