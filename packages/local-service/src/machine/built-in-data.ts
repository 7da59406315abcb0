import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * @param name such as `wake-words`. Default: the folder of the whole package.
 * @returns the path of a file or a folder of @parlando/voices, which contains data, no code: voices, wake words and the weights of
 * networks. `undefined` if the package is not installed.
 */
export function findBuiltInData(name = ''): string | undefined {
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
