import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
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
  // Set by global-setup/records-folder.ts, which removes the folder when all tests are done. Workers, and the processes
  // that their tests share, stop only after that. Without the folder nothing is recorded.
  const folder = process.env['PARLANDO_RECORDS'] ?? ''
  const file = join(folder, source, randomUUID())
  let bytesLeft = maxBytes
  return (chunk) => {
    if (!existsSync(folder)) return
    const bytes = Buffer.from(chunk).subarray(0, bytesLeft)
    bytesLeft -= bytes.length
    if (bytes.length > 0) appendFileSync(file, bytes)
  }
}
