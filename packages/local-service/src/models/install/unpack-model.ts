import { readdir } from 'node:fs/promises'
import { type CatalogueEntry, sourceBytes } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { toDiskFailure } from './disk-failure.ts'
import { unpack } from './unpack.ts'

const maxEntries = 5000
/** How much a model may grow whose size the catalogue does not know. Those that it knows grow by 20 to 50 %. */
const unpackedFactor = 3

/** @returns the size of the unpacked model, or an estimate by that of its archive. */
export function unpackedBytes({ installedBytes }: CatalogueEntry, archiveBytes: number): number {
  return installedBytes ?? archiveBytes * unpackedFactor
}

/**
 * Unpacks the archive of a model into the staging folder.
 * @throws {ModelError} if it is damaged or contains anything but the folder of the model, or if the disk is full. After an
 * abort, the signal's reason.
 */
export async function unpackModel(
  entry: CatalogueEntry,
  archive: string,
  staging: string,
  signal?: AbortSignal,
): Promise<void> {
  const { name, folder, sources } = entry
  // Headers and padding of an archive with hundreds of small files.
  const maxBytes = unpackedBytes(entry, Math.max(...sources.map(sourceBytes))) + 10_000_000
  try {
    await unpack({ archive, folder: staging, maxBytes, maxEntries }, signal)
  } catch (error) {
    signal?.throwIfAborted()
    const failure = toDiskFailure(error)
    if (failure) throw failure
    throw new ModelError(
      'DAMAGED',
      `The archive of ${name} cannot be unpacked: ${(error as Error).message}`,
    )
  }
  const names = await readdir(staging)
  if (names.length !== 1 || names[0] !== folder) {
    throw new ModelError(
      'DAMAGED',
      `The archive of ${name} contains ${names.join(', ')} instead of ${folder}`,
    )
  }
}
