import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Searches the folders of PATH for a program. @returns its path. */
export async function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter)
  const extension = process.platform === 'win32' ? '.exe' : ''
  for (const folder of folders.filter((folder) => folder !== '')) {
    const path = join(folder, name + extension)
    if (await isExecutable(path)) return path
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
