import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is kept of a run of the tests, to be searched for keys when all others have ended. */
export const sources = [
  'logs',
  'errors',
  'debug events',
  'admin answers',
  'flow files',
  'archives',
] as const
export type Source = (typeof sources)[number]

/** Of one stream, or of all that one process tells to keep from a source. */
const maxBytes = 16 * 1024 * 1024

const files = new Map<Source, (piece: string | Uint8Array) => void>()

/** Keeps something that a test has left behind. */
export function keep(source: Source, what: string | Uint8Array): void {
  const write = files.get(source) ?? openKept(source)
  files.set(source, write)
  write(what)
  write('\n')
}

/** Keeps something that comes in pieces. @returns what takes the next piece. */
export function openKept(source: Source): (piece: string | Uint8Array) => void {
  // Set by a run: see keep-the-run.ts.
  const folder = process.env['PARLANDO_KEPT']
  const file = join(folder ?? '', source, randomUUID())
  let bytesLeft = folder ? maxBytes : 0
  return (piece) => {
    const bytes = Buffer.from(piece).subarray(0, bytesLeft)
    bytesLeft -= bytes.length
    if (bytes.length > 0) appendFileSync(file, bytes)
  }
}
