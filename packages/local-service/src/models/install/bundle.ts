import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createTarPacker } from 'modern-tar'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import {
  changedFiles,
  type InstalledModel,
  type Provenance,
  readInstalled,
  recordName,
} from './install-record.ts'
import { unpackModel } from './unpack-model.ts'

/**
 * Writes an installed model into one file, for a machine without internet access. It contains the checksum of each file.
 * @param path must not exist.
 * @throws {Error} if the file exists or cannot be written. No part of it remains.
 */
export async function writeBundle(model: InstalledModel, path: string): Promise<void> {
  const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(`${path} already exists. Delete it, or choose another name for --out`)
  })
  try {
    const { readable, controller } = createTarPacker()
    const writing = pipeline(
      // The package describes its streams with the types of browsers.
      Readable.fromWeb(readable as object as ReadableStream),
      file.createWriteStream(),
    )
    const packing = pack(model, controller).catch((error: unknown) => controller.error(error))
    await Promise.all([writing, packing])
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

async function pack(
  { folder, files }: InstalledModel,
  controller: ReturnType<typeof createTarPacker>['controller'],
): Promise<void> {
  for (const file of [recordName, ...files.map(({ path }) => path)]) {
    const path = join(folder, file)
    const { size } = await stat(path)
    const entry = controller.add({ name: `${basename(folder)}/${file}`, size, type: 'file' })
    await Readable.toWeb(createReadStream(path)).pipeTo(entry as object as WritableStream)
  }
  controller.finalize()
}

/**
 * Unpacks a file of `writeBundle` into the staging folder, and compares each file with the checksum in its record.
 * @throws {ModelError} if it is damaged, or a bundle of another model. After an abort, the signal's reason.
 */
export async function openBundle(
  entry: CatalogueEntry,
  bundle: string,
  staging: string,
  signal?: AbortSignal,
): Promise<Provenance> {
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
