import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ModelError } from '../catalogue/model-error.ts'

const name = 'espeak-ng-data'
/** Where systems keep it. Debian has a folder for each architecture in `/usr/lib`. */
const systemFolders = [
  '/usr/share',
  '/usr/local/share',
  '/opt/homebrew/share',
  '/usr/lib',
  'C:\\Program Files\\eSpeak NG',
]

/**
 * Finds the pronunciation rules of espeak-ng, which voices of Piper need. They are under the GPL, so users install them.
 * @param near folders in which, or in whose subfolders, `espeak-ng-data` may be; they have priority.
 * @param elsewhere the folders of the system.
 * @throws {ModelError} that says how to install them.
 */
export async function findEspeakData(
  near: readonly string[],
  elsewhere: readonly string[] = systemFolders,
): Promise<string> {
  const given = process.env['ESPEAK_DATA_PATH']
  for (const parent of [...(given ? [dirname(given), given] : []), ...near, ...elsewhere]) {
    const children = await readdir(parent).catch(() => [])
    const candidates = [parent, ...children.map((child) => join(parent, child))]
    const found = candidates.map((folder) => join(folder, name)).find(isEspeakData)
    if (found) return found
  }
  throw new ModelError(
    'INCOMPLETE',
    `The voice needs espeak-ng-data, the pronunciation rules of espeak-ng, and this machine has none. Install them (Debian, Raspberry Pi OS: sudo apt-get install espeak-ng-data; macOS: brew install espeak-ng), put the folder ${name} next to the file of the voice, or name it in ESPEAK_DATA_PATH`,
  )
}

function isEspeakData(path: string): boolean {
  return existsSync(join(path, 'phontab'))
}
