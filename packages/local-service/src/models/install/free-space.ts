import { statfs } from 'node:fs/promises'
import { formatBytes } from '../../machine/resources.ts'
import { ModelError } from '../catalogue/model-error.ts'

/** Space that logs and other programs need. */
const reserveBytes = 50_000_000

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** @throws {ModelError} if the disk has less space than this and a reserve. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= bytes + reserveBytes) return
  throw new ModelError(
    'NO_SPACE',
    `The installation needs ${formatBytes(bytes + reserveBytes)}, but ${folder} has ${formatBytes(free)}. Free some space, or choose another data folder`,
  )
}
