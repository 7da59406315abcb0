import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Where a program of this machine is.
 * @param lack what cannot be tested without it; said aloud where it is not installed.
 * @throws {Error} where it is not installed and CI runs: there, nothing goes untested in silence.
 */
export function findProgram(name: string, lack: string): string | undefined {
  // Debian keeps servers where not every user's path leads to.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const path = folders.map((folder) => join(folder, name)).find(existsSync)
  if (path) return path
  const sentence = `${name} is not installed, so ${lack}`
  if (process.env['CI']) throw new Error(sentence)
  console.warn(sentence)
  return undefined
}
