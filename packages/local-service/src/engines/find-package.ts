import { createRequire } from 'node:module'
import { resolve } from 'node:path'

/**
 * Looks for a package that is no dependency but that the user may have installed: where this package is, as in
 * Node-RED's user folder, in the working folder, and in the data folder and those above it.
 * @returns the path of its main file.
 */
export function findPackage(name: string, dataFolder: string | undefined): string | undefined {
  const folders = [process.cwd(), ...(dataFolder ? [dataFolder] : [])]
  const places = [import.meta.url, ...folders.map((folder) => resolve(folder, 'package.json'))]
  for (const place of places) {
    try {
      return createRequire(place).resolve(name)
    } catch {
      // Not there.
    }
  }
  return undefined
}
