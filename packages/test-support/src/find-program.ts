import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of a program on this machine.
 * @param lack what cannot be tested without it; printed if it is not installed.
 * @throws {Error} if it is not installed in CI, where no test may be skipped silently.
 */
export function findProgram(name: string, lack: string): string | undefined {
  // Debian installs servers in a folder that is not in every user's PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const path = folders.map((folder) => join(folder, name)).find(existsSync)
  if (path) return path
  const sentence = `${name} is not installed, so ${lack}`
  if (process.env['CI']) throw new Error(sentence)
  console.warn(sentence)
  return undefined
}
