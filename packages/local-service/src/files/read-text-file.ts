import { readFile, stat } from 'node:fs/promises'

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
