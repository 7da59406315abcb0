import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ModelError } from './model-error.ts'

interface Owner {
  pid: number
  host: string
}

const renewalMs = 10_000
/** Several renewals, since a busy machine delays them. */
const maxAgeMs = 60_000

/**
 * Prevents two installations from writing into the same folder, also from two processes or machines. The lock is renewed
 * while it is held; one that is older than a minute is taken over. Trap: after a restart, another process may have the
 * process number of the owner, and a container has the same numbers each time.
 * @returns a function that releases the lock.
 * @throws {ModelError} if another installation is running.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, '.lock')
  if (await isAbandoned(path)) await rm(path, { force: true })
  const owner = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner)
  await writeFile(path, owner, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? await busyError(path) : error
  })
  const renewal = setInterval(() => void renew(path), renewalMs).unref()
  return async () => {
    clearInterval(renewal)
    await rm(path, { force: true })
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const lock = await stat(path).catch(() => undefined)
  return lock !== undefined && Date.now() - lock.mtimeMs > maxAgeMs
}

async function renew(path: string): Promise<void> {
  const now = new Date()
  // The user may have deleted the file.
  await utimes(path, now, now).catch(() => {})
}

async function busyError(path: string): Promise<ModelError> {
  const owner = await readOwner(path)
  return new ModelError(
    'BUSY',
    `Models are being installed or removed by process ${owner?.pid ?? '?'} on ${owner?.host ?? 'another machine'}. Wait until it has ended. If no such process exists, try again in a minute`,
  )
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}
