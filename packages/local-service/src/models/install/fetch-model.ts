import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type CatalogueEntry,
  isConfirmed,
  type ModelSource,
  mirrorSource,
  type RemoteFile,
  sourceBytes,
  sourceFiles,
} from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { openBundle } from './bundle.ts'
import { download } from './download.ts'
import { downloadsOf, pathOfDownload } from './downloads-folder.ts'
import type { Provenance } from './install-record.ts'
import { unpackModel } from './unpack-model.ts'

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

/** Puts the folder of the model into the staging folder. */
export async function fetchModel(
  entry: CatalogueEntry,
  staging: string,
  options: FetchOptions,
): Promise<Provenance> {
  const { bundle, mirror, signal, onEvent } = options
  if (bundle) {
    onEvent?.({ type: 'unpacking' })
    return openBundle(entry, bundle, staging, signal)
  }
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

/** @returns the URL of the first file that this call has received, if there is one. */
async function fetchSource(
  entry: CatalogueEntry,
  source: ModelSource,
  staging: string,
  { folder, signal, onEvent }: FetchOptions,
): Promise<string | undefined> {
  const downloads = downloadsOf(folder, entry)
  const totalBytes = sourceBytes(source)
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
    for (const file of source.files) await fetchFile(file, pathOfDownload(downloads, file))
    // The files stay where they are until the model is installed: another source, or another call, can use or replace them.
    for (const file of source.files) {
      await place(pathOfDownload(downloads, file), join(staging, entry.folder, file.path))
    }
    return firstUrl
  }
  const archive = pathOfDownload(downloads, source.archive)
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
