import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder into which the commands install models. */
export function installFolderOf(dataFolder: string): string {
  return join(dataFolder, 'models')
}

/** @returns the folder of the user, even if it does not exist, then that of the commands, if models are in it. */
export async function findModelsFolders(
  given: string | undefined,
  dataFolder: string | undefined,
): Promise<string[]> {
  const installed = dataFolder ? installFolderOf(dataFolder) : undefined
  const names = installed ? await readdir(installed).catch(() => []) : []
  const hasModels = names.some((name) => !name.startsWith('.'))
  return [given, hasModels ? installed : undefined].flatMap((folder) => folder ?? [])
}
