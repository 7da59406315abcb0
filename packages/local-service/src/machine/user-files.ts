import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface FoundPackage {
  /** The path of its main file. */
  path: string
  version: string
}

/** Where `findPackage` finds what the user installs, as the end of a sentence. */
export const installPlace =
  "in Node-RED's user folder, or in a folder that you name with --engines-folder"

/**
 * Finds a package that is not a dependency but that the user may have installed. It searches `node_modules` in the given
 * folders, then those that contain this package. Trap: Node's own search also reads all folders above, such as a shared
 * one in which another user has planted a package.
 */
export function findPackage(
  name: string,
  folders: readonly (string | undefined)[],
): FoundPackage | undefined {
  const given = folders.flatMap((folder) => (folder ? join(resolve(folder), 'node_modules') : []))
  const { resolve: resolveMain } = createRequire(import.meta.url)
  for (const folder of [...given, ...installationFolders()]) {
    try {
      const path = resolveMain(join(folder, name))
      const manifest = readFileSync(join(folder, name, 'package.json'), 'utf8')
      return { path, version: String((JSON.parse(manifest) as { version?: unknown }).version) }
    } catch {
      // The package is not installed there.
    }
  }
  return undefined
}

/** The folders `node_modules` in the path of this package, such as the one of Node-RED's user folder. */
function installationFolders(): string[] {
  const parts = fileURLToPath(import.meta.url).split(sep)
  return parts.flatMap((part, index) =>
    part === 'node_modules' ? parts.slice(0, index + 1).join(sep) : [],
  )
}

/**
 * Reads a text file that somebody else may have put into a folder.
 * @throws {Error} if it is too large or not a regular file. Trap: reading a named pipe would wait for a writer forever.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  const about = await stat(path)
  if (!about.isFile()) throw new Error('it is not a file')
  if (about.size > maxBytes) {
    throw new Error(`its ${about.size} bytes exceed the limit of ${maxBytes}`)
  }
  return readFile(path, 'utf8')
}
