import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  archiveName,
  type CatalogueEntry,
  isConfirmed,
  type ModelSource,
  mirrorSource,
  type RemoteFile,
  sourceFiles,
} from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { toDiskFailure } from './disk-failure.ts'
import { download, receivedBytes } from './download.ts'
import { changedFiles, type InstallRecord, readInstalled } from './install-record.ts'
import { unpack } from './unpack.ts'

/** What an installation is doing. */
export type InstallEvent =
  | { type: 'downloading'; receivedBytes: number; totalBytes: number }
  | { type: 'retrying'; reason: string }
  | { type: 'unpacking' }
  | { type: 'loading' }

export interface FetchOptions {
  /** The folder of the models. It is created if it does not exist. */
  folder: string
  /** A server or a folder with the files of the catalogue, instead of the addresses in it. */
  mirror?: string
  /** A file of `writeBundle`, instead of the addresses in the catalogue. */
  bundle?: string
  /** The parts of files that have arrived remain after an abort. */
  signal?: AbortSignal
  onEvent?(event: InstallEvent): void
}

const maxEntries = 5000
/** Of the unpacked model, if the catalogue does not know its size. Those that it knows grow by 20 to 50 %. */
const unpackedFactor = 3

/**
 * What an installation still writes. The archive and the unpacked model exist at the same time; what an earlier call has received
 * is on the disk already, and a bundle is only unpacked.
 */
export async function neededBytes(
  entry: CatalogueEntry,
  { folder, bundle }: Pick<FetchOptions, 'folder' | 'bundle'>,
): Promise<number> {
  const downloads = downloadsOf(folder, entry)
  const needed = entry.sources.map(async (source) => {
    const bytes = sumBytes(source)
    const unpacked = 'archive' in source ? (entry.installedBytes ?? bytes * unpackedFactor) : 0
    if (bundle) return unpacked || bytes
    const received = sourceFiles(source).map((file) =>
      receivedBytes(file, placeIn(downloads, file)),
    )
    const sizes = await Promise.all(received)
    return bytes + unpacked - sizes.reduce((sum, size) => sum + size, 0)
  })
  return Math.max(...(await Promise.all(needed)))
}

function sumBytes(source: ModelSource): number {
  return sourceFiles(source).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Received files and parts of files, until the model is installed. */
export function downloadsOf(folder: string, { name }: CatalogueEntry): string {
  return join(folder, '.downloads', name)
}

function placeIn(downloads: string, file: RemoteFile & { path?: string }): string {
  return join(downloads, file.path ?? archiveName(file))
}

/** Where a model comes from. */
export type Provenance = Pick<InstallRecord, 'origin' | 'isConfirmed'>

/** Puts the folder of the model into the staging folder. */
export async function fetchModel(
  entry: CatalogueEntry,
  staging: string,
  options: FetchOptions,
): Promise<Provenance> {
  const { bundle, mirror, signal, onEvent } = options
  if (bundle) return openBundle(entry, bundle, staging, options)
  const sources = mirror
    ? entry.sources.map((source) => mirrorSource(entry, source, mirror))
    : entry.sources
  for (const [index, source] of sources.entries()) {
    try {
      const receivedFrom = await fetchSource(entry, source, staging, options)
      // Nobody has recorded which mirror sent the files of an earlier call.
      const url = receivedFrom ?? sourceFiles(source)[0]!.urls[0]!
      return { origin: mirror ?? new URL(url).host, isConfirmed: isConfirmed(entry) }
    } catch (error) {
      signal?.throwIfAborted()
      const isLast = index === sources.length - 1
      const { code } = error as ModelError
      if (isLast || (code !== 'DOWNLOAD_FAILED' && code !== 'WRONG_CHECKSUM')) throw error
      onEvent?.({ type: 'retrying', reason: (error as Error).message })
    }
  }
  throw new Error(`The catalogue has no source for ${entry.name}`)
}

/** A file of `writeBundle`, whose record has the checksum of each file. */
async function openBundle(
  entry: CatalogueEntry,
  bundle: string,
  staging: string,
  { signal, onEvent }: FetchOptions,
): Promise<Provenance> {
  onEvent?.({ type: 'unpacking' })
  await unpackModel(entry, bundle, staging, signal)
  const model = await readInstalled(join(staging, entry.folder))
  const changed = model && (await changedFiles(model))
  if (model?.name === entry.name && changed?.length === 0) {
    return { origin: model.origin, isConfirmed: model.isConfirmed }
  }
  const reason = changed?.length
    ? `these files are damaged: ${changed.join(', ')}`
    : 'it was not made by the command bundle'
  throw new ModelError('DAMAGED', `${bundle} cannot be used: ${reason}`)
}

/** @returns the URL of the first file that this call has received, if there is one. */
async function fetchSource(
  entry: CatalogueEntry,
  source: ModelSource,
  staging: string,
  { folder, signal, onEvent }: FetchOptions,
): Promise<string | undefined> {
  const downloads = downloadsOf(folder, entry)
  const totalBytes = sumBytes(source)
  let finishedBytes = 0
  let firstUrl: string | undefined
  const fetchFile = async (file: RemoteFile, path: string) => {
    await mkdir(dirname(path), { recursive: true })
    const url = await download(file, path, {
      signal,
      onBytes: (bytes) =>
        onEvent?.({ type: 'downloading', receivedBytes: finishedBytes + bytes, totalBytes }),
      onRetry: (reason) => onEvent?.({ type: 'retrying', reason }),
    })
    finishedBytes += file.bytes
    firstUrl ??= url
  }
  if ('files' in source) {
    for (const file of source.files) await fetchFile(file, placeIn(downloads, file))
    // The files stay where they are until the model is installed: another source, or another call, can use or replace them.
    for (const file of source.files) {
      await place(placeIn(downloads, file), join(staging, entry.folder, file.path))
    }
    return firstUrl
  }
  const archive = placeIn(downloads, source.archive)
  await fetchFile(source.archive, archive)
  onEvent?.({ type: 'unpacking' })
  try {
    await unpackModel(entry, archive, staging, signal)
  } catch (error) {
    // After an abort, or a failure of the disk, the next call can use the archive again.
    if (error instanceof ModelError && error.code === 'DAMAGED') await rm(archive)
    throw error
  }
  return firstUrl
}

/** Puts a received file where it belongs, too. */
async function place(received: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  // Some file systems of removable disks have no links. There, it takes its space twice until the model is installed.
  await link(received, target).catch(() => copyFile(received, target))
}

async function unpackModel(
  entry: CatalogueEntry,
  archive: string,
  staging: string,
  signal?: AbortSignal,
): Promise<void> {
  const { name, installedBytes, sources } = entry
  const known = installedBytes ?? Math.max(...sources.map(sumBytes)) * unpackedFactor
  // Headers and padding of an archive with hundreds of small files.
  const maxBytes = known + 10_000_000
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
  if (names.length !== 1 || names[0] !== entry.folder) {
    throw new ModelError(
      'DAMAGED',
      `The archive of ${name} contains ${names.join(', ')} instead of ${entry.folder}`,
    )
  }
}
