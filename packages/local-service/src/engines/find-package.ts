import { createRequire } from 'node:module'
import { resolve } from 'node:path'

/**
 * Finds a package that is not a dependency but that the user may have installed. It searches from this package, which
 * may be in Node-RED's user folder, from the working folder and from the data folder, each with its parent folders.
 * @returns the path of its main file.
 */
export function findPackage(name: string, dataFolder: string | undefined): string | undefined {
  const folders = [process.cwd(), ...(dataFolder ? [dataFolder] : [])]
  const places = [import.meta.url, ...folders.map((folder) => resolve(folder, 'package.json'))]
  for (const place of places) {
    try {
      return createRequire(place).resolve(name)
    } catch {
      // Not installed there.
    }
  }
  return undefined
}
