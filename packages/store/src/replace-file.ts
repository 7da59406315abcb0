import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Of a file that is being written. A process that is killed leaves it. */
export const partEnding = '.part'

/**
 * Replaces a file in one step: a concurrent reader, or one after a power failure, never sees half of it. Only this user can
 * read it.
 * @throws {NodeJS.ErrnoException} and leaves the file as it was.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}${partEnding}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}

/** Lets the names in a folder survive a loss of power: a file system writes them up to 30 s later than the files. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and some network shares cannot write one at once.
  const folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
