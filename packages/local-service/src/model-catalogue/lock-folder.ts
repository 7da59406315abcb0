import { open, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ModelError } from './model-error.ts'

interface Owner {
  pid: number
  host: string
}

/**
 * Prevents two installations from writing into the same folder, also from two processes. A lock whose process has ended is
 * taken over.
 * @returns a function that releases the lock.
 * @throws {ModelError} if another installation is running.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, '.lock')
  for (let attempt = 1; ; attempt += 1) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner))
      await file.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = await readOwner(path)
    if (attempt > 1 || !owner || isRunning(owner)) {
      throw new ModelError(
        'BUSY',
        `Models are being installed or removed by process ${owner?.pid ?? '?'} on ${owner?.host ?? 'another machine'}. Wait until it has ended. If no such process exists, delete ${path}`,
      )
    }
    await rm(path, { force: true })
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function isRunning({ pid, host }: Owner): boolean {
  // The processes of another machine, which shares the folder, cannot be seen.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
