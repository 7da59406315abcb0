import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ModelError } from '../catalogue/model-error.ts'
import { throwDiskFailure } from './disk-failure.ts'

interface Owner {
  pid: number
  host: string
  /** Differs between two locks of a process. */
  id: string
}

const renewalMs = 10_000
/** Several renewals, since a busy machine delays them. */
const maxAgeMs = 60_000

/**
 * Prevents two installations from writing into the same folder, also from two processes or machines. The lock is renewed
 * while it is held; one that is older than a minute is taken over. Trap: after a restart, another process may have the
 * process number of the owner, and a container has the same numbers each time.
 * @returns a function that releases the lock.
 * @throws {ModelError} if another installation is running, or if the disk is full or cannot be written.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, '.lock')
  const id = randomUUID()
  await removeAbandoned(path).catch(throwDiskFailure)
  await writeLock(path, id).catch(throwDiskFailure)
  // After a pause of more than a minute, such as in a virtual machine, the lock may have another owner.
  const isOwn = async () => (await readOwner(path))?.id === id
  const renew = async () => {
    const now = new Date()
    // The user may have deleted the file.
    if (await isOwn()) await utimes(path, now, now).catch(() => {})
  }
  const renewal = setInterval(() => void renew(), renewalMs).unref()
  return async () => {
    clearInterval(renewal)
    // One that cannot be removed is taken over after a minute.
    if (await isOwn()) await rm(path, { force: true }).catch(() => {})
  }
}

async function writeLock(path: string, id: string): Promise<void> {
  const file = await open(path, 'wx').catch(async (error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? await busyError(path) : error
  })
  const owner: Owner = { pid: process.pid, host: hostname(), id }
  try {
    await file.writeFile(JSON.stringify(owner))
    await file.close()
  } catch (error) {
    await file.close().catch(() => {})
    // On a full disk, the file exists without content. It would reject the next try for a minute.
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/**
 * Removes a lock that nobody has renewed. A second file lets one at a time look and remove. Without it, somebody who has seen the
 * old lock too late would remove the new one.
 */
async function removeAbandoned(path: string): Promise<void> {
  if (!(await isAbandoned(path))) return
  const takeover = `${path}-takeover`
  if (await isAbandoned(takeover)) await rm(takeover, { force: true })
  try {
    await writeFile(takeover, '', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  try {
    if (await isAbandoned(path)) await rm(path, { force: true })
  } finally {
    await rm(takeover, { force: true })
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined)
  return file !== undefined && Date.now() - file.mtimeMs > maxAgeMs
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
