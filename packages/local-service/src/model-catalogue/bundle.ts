import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createTarPacker } from 'modern-tar'
import type { InstalledModel } from './installed.ts'
import { recordName } from './installed.ts'

/**
 * Writes an installed model into one file, for a machine without internet access. It contains the checksum of each file.
 * @param path must not exist.
 */
export async function writeBundle(model: InstalledModel, path: string): Promise<void> {
  const { readable, controller } = createTarPacker()
  const writing = pipeline(
    // The package describes its streams with the types of browsers.
    Readable.fromWeb(readable as object as ReadableStream),
    createWriteStream(path, { flags: 'wx' }),
  )
  const packing = pack(model, controller).catch((error: unknown) => controller.error(error))
  await Promise.all([writing, packing])
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
