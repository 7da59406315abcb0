import { readFileSync, renameSync } from 'node:fs'
import { reviveBuffer } from './savable-message.ts'
import { createSavedFile } from './saved-file.ts'

export interface SavedEntry {
  id: string
  /** The id of the node that it belongs to. */
  nodeId: string
}

export interface SavedListOptions<Entry> {
  path: string
  /** Whether a value of the file is an entry. */
  isEntry(value: unknown): value is Entry
  /** The oldest ones are forgotten. */
  maxEntries: number
  /** Called when an entry cannot be saved, or the saved ones cannot be read. Both work nevertheless, until a restart. */
  onError(error: Error): void
}

/** Keeps entries over a restart of Node-RED and a loss of power, in a small file. */
export function createSavedList<Entry extends SavedEntry>(options: SavedListOptions<Entry>) {
  const { path, maxEntries, onError } = options
  let entries: Map<string, Entry> | undefined

  const load = () => {
    entries ??= new Map(readEntries(options).map((entry) => [entry.id, entry]))
    return entries
  }
  const file = createSavedFile(path, () => JSON.stringify([...load().values()]), onError)

  return {
    /** The entries of a node that were saved before. */
    of: (nodeId: string) => [...load().values()].filter((entry) => entry.nodeId === nodeId),
    /** Saves an entry, or what has changed. */
    save(entry: Entry) {
      const saved = load()
      saved.set(entry.id, entry)
      const [oldest] = saved.keys()
      if (saved.size > maxEntries && oldest) {
        saved.delete(oldest)
        onError(new Error(`only ${maxEntries} are saved`))
      }
      file.change()
    },
    remove(id: string) {
      if (load().delete(id)) file.change()
    },
    /** Removes the entries of nodes. */
    removeOf(isTheirs: (nodeId: string) => boolean) {
      const theirs = [...load().values()].filter(({ nodeId }) => isTheirs(nodeId))
      for (const { id } of theirs) load().delete(id)
      if (theirs.length > 0) file.change()
    },
    /** Resolves when the file has all changes. */
    flush: () => file.flush(),
  }
}

export type SavedList<Entry extends SavedEntry> = ReturnType<typeof createSavedList<Entry>>

/** @returns nothing if there is no file, or if the file is damaged, which it reports. */
function readEntries<Entry>(options: SavedListOptions<Entry>): Entry[] {
  const { path, isEntry, maxEntries, onError } = options
  try {
    const saved: unknown = JSON.parse(readFileSync(path, 'utf8'), reviveBuffer)
    if (!Array.isArray(saved)) throw new Error('it contains no list')
    return saved.filter(isEntry).slice(-maxEntries)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const exists = !['ENOENT', 'ENOTDIR'].includes(code)
    if (exists) onError(new Error(`${path} cannot be read${keepDamaged(path)}: ${message}`))
    return []
  }
}

/** The next change replaces the file, and somebody may want to read what is left of it. @returns where it is. */
function keepDamaged(path: string): string {
  try {
    renameSync(path, `${path}.damaged`)
    return ` and is now ${path}.damaged`
  } catch {
    return ''
  }
}
