import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** @returns a folder of the package of voices, which contains data, no code. `undefined` if the package is not installed. */
export function findBuiltInVoices(name = ''): string | undefined {
  try {
    const packagePath = createRequire(import.meta.url).resolve('@parlando/voices/package.json')
    return join(dirname(packagePath), name)
  } catch {
    return undefined
  }
}

/** What the caller is told if files of that package are missing or damaged. */
export const unreadableVoices =
  'The voice cannot be opened: files of @parlando/voices are missing or damaged. Install that package again, or use another voice'
