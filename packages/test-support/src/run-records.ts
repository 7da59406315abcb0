import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a run records. The project `secrets` searches it for keys after all other tests. */
export const sources = [
  'logs',
  'errors',
  'debug events',
  'admin responses',
  'flow files',
  'archives',
] as const
export type Source = (typeof sources)[number]

/** Per stream, or per process and source. */
const maxBytes = 16 * 1024 * 1024

const writers = new Map<Source, (chunk: string | Uint8Array) => void>()

/** Records something that a test has produced. */
export function keep(source: Source, record: string | Uint8Array): void {
  const write = writers.get(source) ?? openRecord(source)
  writers.set(source, write)
  write(record)
  write('\n')
}

/** Opens a record that arrives in chunks. @returns a function that appends a chunk. */
export function openRecord(source: Source): (chunk: string | Uint8Array) => void {
  // record-run.ts sets it; without it nothing is recorded.
  const folder = process.env['PARLANDO_RECORDS']
  const file = join(folder ?? '', source, randomUUID())
  let bytesLeft = folder ? maxBytes : 0
  return (chunk) => {
    const bytes = Buffer.from(chunk).subarray(0, bytesLeft)
    bytesLeft -= bytes.length
    if (bytes.length > 0) appendFileSync(file, bytes)
  }
}
