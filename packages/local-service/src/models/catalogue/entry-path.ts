const maxDepth = 8
const maxNameBytes = 200
/** Characters that end a path, are a separator, or are reserved on Windows. */
const forbidden = /[\\:*?"<>|\p{Cc}]/u

/** What the header of an archive entry says about it. */
export interface EntryHeader {
  name: string
  type?: string
}

/**
 * Checks an entry of an archive, which may be hostile: only files and folders, and no path that leads out of the folder.
 * @returns the parts of its path. Empty for the folder itself.
 * @throws {Error} naming the entry.
 */
export function entryPath({ name, type = 'file' }: EntryHeader): string[] {
  const reject = (reason: string) => new Error(`The archive entry ${shorten(name)} ${reason}`)
  if (type !== 'file' && type !== 'directory')
    throw reject(`is neither a file nor a folder (${type})`)
  const parts = name.replace(/^\.\//, '').replace(/\/$/, '').split('/')
  if (parts.length === 1 && (parts[0] === '' || parts[0] === '.')) {
    if (type === 'directory' && name !== '/') return []
    throw reject('has no name')
  }
  if (parts.length > maxDepth) throw reject(`is more than ${maxDepth} folders deep`)
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..') throw reject('leads out of the folder')
    if (forbidden.test(part)) throw reject('has a character that is not allowed')
    if (Buffer.byteLength(part) > maxNameBytes) throw reject('has a name that is too long')
  }
  return parts
}

/** Entry names come from strangers and end up in messages. */
function shorten(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}
