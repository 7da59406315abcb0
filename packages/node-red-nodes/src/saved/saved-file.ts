import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file. Another process never sees half of it. Only this user can read it: it holds texts. `replaceFile` of the store does the
 * same for files with several writers, but takes 4 MB of memory, and a process that is killed leaves each of its temporary files.
 */
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    // Without `flush`, a loss of power can leave an empty file under the new name.
    await writeFile(temporary, text, { mode: 0o600, flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  // A file system writes the new name up to 30 s later than the file. Windows cannot open a folder.
  const folder = await open(dirname(path)).catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** @returns a name for the files of a node. A hand-written flow may have any id, such as `..`, or none. */
export function fileNameOf(nodeId: unknown): string {
  return createHash('sha256').update(String(nodeId)).digest('hex').slice(0, 16)
}

/** A file that follows what is in memory. */
export interface SavedFile {
  /** Writes the file again. Changes during the writing are written together after it. */
  change(): void
  /** Resolves when the file has all changes. */
  flush(): Promise<void>
}

/**
 * @param toText what the file holds now.
 * @param onError called when it cannot be written, or JSON cannot hold what is in memory.
 */
export function createSavedFile(
  path: string,
  toText: () => string,
  onError: (error: Error) => void,
): SavedFile {
  let hasChanged = false
  let writing: Promise<void> | undefined
  // A text that cannot be made rejects it, too.
  const writeOnce = async () => writeAtomically(path, toText())
  const write = async () => {
    try {
      while (hasChanged) {
        hasChanged = false
        await writeOnce().catch(onError)
      }
    } finally {
      // Otherwise, nothing is written any more after an error of `onError`.
      writing = undefined
    }
  }
  return {
    change() {
      hasChanged = true
      writing ??= write()
    },
    async flush() {
      await writing
    },
  }
}
