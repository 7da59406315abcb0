import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** The output of a test run that is recorded. After all other tests, the project `secrets` searches it for keys. */
export const recordSources = [
  'logs',
  'errors',
  'debug events',
  'admin responses',
  'flow files',
  'archives',
] as const
export type RecordSource = (typeof recordSources)[number]

/** Limit of one file: there is one per stream, or per process and source. */
const maxBytes = 16 * 1024 * 1024

const writers = new Map<RecordSource, (chunk: string | Uint8Array) => void>()

/** Records output of the code under test. */
export function saveRecord(source: RecordSource, content: string | Uint8Array): void {
  const write = writers.get(source) ?? openRecord(source)
  writers.set(source, write)
  write(content)
  write('\n')
}

/** Opens a new record. @returns a function that appends a chunk to it. */
export function openRecord(source: RecordSource): (chunk: string | Uint8Array) => void {
  // Set by global-setup/records-folder.ts. Without it nothing is recorded.
  const folder = process.env['PARLANDO_RECORDS']
  const file = join(folder ?? '', source, randomUUID())
  let bytesLeft = folder ? maxBytes : 0
  return (chunk) => {
    const bytes = Buffer.from(chunk).subarray(0, bytesLeft)
    bytesLeft -= bytes.length
    if (bytes.length > 0) append(file, bytes)
  }
}

/** After all tests, the folder is removed before the workers, and the processes that their tests share, have stopped. */
function append(file: string, bytes: Uint8Array): void {
  try {
    appendFileSync(file, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
