import { statfs } from 'node:fs/promises'
import { formatBytes } from '../../machine/resources.ts'
import { type CatalogueEntry, sourceBytes, sourceFiles } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { receivedBytes } from './download.ts'
import { downloadsOf, pathOfDownload } from './downloads-folder.ts'
import { unpackedBytes } from './unpack-model.ts'

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

/**
 * What an installation still writes. The archive and the unpacked model exist at the same time; what an earlier call has received
 * is on the disk already, and a bundle is only unpacked.
 */
export async function neededBytes(
  entry: CatalogueEntry,
  { folder, bundle }: { folder: string; bundle?: string },
): Promise<number> {
  const downloads = downloadsOf(folder, entry)
  const needed = entry.sources.map(async (source) => {
    const bytes = sourceBytes(source)
    const unpacked = 'archive' in source ? unpackedBytes(entry, bytes) : 0
    if (bundle) return unpacked || bytes
    const received = sourceFiles(source).map((file) =>
      receivedBytes(file, pathOfDownload(downloads, file)),
    )
    const sizes = await Promise.all(received)
    return bytes + unpacked - sizes.reduce((sum, size) => sum + size, 0)
  })
  return Math.max(...(await Promise.all(needed)))
}
