import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
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

/**
 * The environment of programs that use the sound server, without the variables of the speech service, which may contain keys.
 * A Node-RED that the system starts as a service lacks the folder in which the sound server of its user has its socket.
 */
export function soundEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = `/run/user/${process.getuid?.()}`
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('PARLANDO_'))
  const hasFolder = !environment['XDG_RUNTIME_DIR'] && existsSync(folder)
  return { ...Object.fromEntries(kept), ...(hasFolder && { XDG_RUNTIME_DIR: folder }) }
}
