import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of a program on this machine. If the program is missing, prints a warning.
 * @param consequence the effect of a missing program, as the end of the warning.
 * @throws {Error} if the program is missing in CI, where no test may be skipped silently.
 */
export function findProgram(name: string, consequence: string): string | undefined {
  // Debian installs servers in a folder that is not in every user's PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const path = folders.map((folder) => join(folder, name)).find(existsSync)
  if (path) return path
  const warning = `${name} is not installed, so ${consequence}`
  if (process.env['CI']) throw new Error(warning)
  console.warn(warning)
  return undefined
}
