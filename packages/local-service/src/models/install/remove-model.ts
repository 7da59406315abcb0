import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ModelError } from '../catalogue/model-error.ts'
import { downloadsFolder, downloadsOf } from './downloads-folder.ts'
import { listInstalled, notInstalled } from './install-record.ts'
import { lockFolder } from './lock-folder.ts'

const removedPrefix = '.removed-'

/**
 * Removes a model, and what an installation that did not end has received of it. A running service notices it in a few seconds;
 * its running utterances end first.
 * @throws {ModelError} if nothing of it is here, or if its files cannot be deleted, as on Windows while a program uses them.
 */
export async function removeModel(folder: string, name: string): Promise<void> {
  const release = await lockFolder(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw notInstalled(name)
    // A full disk has no space for the lock either, and no installation can write on it. The removal makes space.
    if (error.code === 'NO_SPACE') return async () => {}
    throw error
  })
  try {
    await deleteRemoved(folder, name)
    const hadDownloads = await deleteDownloads(folder, name)
    const model = (await listInstalled(folder)).find((one) => one.name === name)
    if (!model && hadDownloads) return
    if (!model) throw notInstalled(name)
    // A model that is removed halfway would be a damaged one.
    await rename(model.folder, join(folder, `${removedPrefix}${name}@${randomUUID()}`))
    await deleteRemoved(folder, name)
  } catch (error) {
    if (error instanceof ModelError) throw error
    throw new ModelError(
      'NOT_DELETED',
      `The model cannot be deleted: ${(error as Error).message}. End the programs that use it and try again`,
    )
  } finally {
    await release()
  }
}

/** @returns whether there was anything. A name that is a path, such as `..`, is none of the downloads. */
async function deleteDownloads(folder: string, name: string): Promise<boolean> {
  const downloads = await readdir(join(folder, downloadsFolder)).catch((): string[] => [])
  if (!downloads.includes(name)) return false
  await rm(downloadsOf(folder, { name }), { recursive: true, force: true })
  return true
}

/**
 * Deletes removed models, also those that an earlier call could not delete.
 * @throws {Error} if files of the named model cannot be deleted. Those of others may still be in use.
 */
async function deleteRemoved(folder: string, name: string): Promise<void> {
  for (const removed of await readdir(folder)) {
    if (!removed.startsWith(removedPrefix)) continue
    await rm(join(folder, removed), { recursive: true }).catch((error) => {
      if (removed.startsWith(`${removedPrefix}${name}@`)) throw error
    })
  }
}
