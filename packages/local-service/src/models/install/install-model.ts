import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogueEntry, isHibari } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { replaceGraph } from '../hibari/replace-graph.ts'
import { throwDiskFailure } from './disk-failure.ts'
import { downloadsOf } from './downloads-folder.ts'
import { type FetchOptions, fetchModel } from './fetch-model.ts'
import { neededBytes, requireSpace } from './free-space.ts'
import {
  describeFiles,
  type InstalledModel,
  type Provenance,
  readInstalled,
  writeRecord,
} from './install-record.ts'
import { lockFolder } from './lock-folder.ts'

export interface InstallOptions extends FetchOptions {
  /** Puts the folder of the model into the staging folder. Default: downloads it. */
  fetch?(staging: string): Promise<Provenance>
  /**
   * Loads the model for a test, before it is offered.
   * @param folder contains only the folder of the model.
   * @throws {Error} if it cannot be loaded.
   */
  load?(folder: string): Promise<void>
}

const stagingPrefix = '.staging-'

/**
 * Downloads, checks, unpacks and loads a model in a staging folder, then moves it to its place in one step.
 * @throws {ModelError} with what to do. After an abort, the signal's reason. No half of a model remains.
 */
export async function installModel(
  entry: CatalogueEntry,
  options: InstallOptions,
): Promise<InstalledModel> {
  const { folder, signal, onEvent, load } = options
  signal?.throwIfAborted()
  await mkdir(folder, { recursive: true }).catch(throwDiskFailure)
  const release = await lockFolder(folder)
  const staging = stagingOf(folder, entry)
  try {
    await removeStaging(folder, entry).catch(throwDiskFailure)
    const target = join(folder, entry.folder)
    await rejectExisting(entry, target)
    await requireSpace(folder, await neededBytes(entry, options))
    const staged = await stageModel(entry, staging, options).catch(throwDiskFailure)
    if (load) {
      onEvent?.({ type: 'loading' })
      await load(staging)
    }
    signal?.throwIfAborted()
    await rename(staged, target).catch(throwDiskFailure)
    // The model is installed, even if its downloads cannot be removed.
    await rm(downloadsOf(folder, entry), { recursive: true, force: true }).catch(() => {})
    return (await readInstalled(target))!
  } finally {
    // A folder that cannot be removed is no reason to keep the lock. The next installation tries again.
    await removeStaging(folder, entry).catch(() => {})
    await release()
  }
}

function stagingOf(folder: string, { name }: CatalogueEntry): string {
  return join(folder, `${stagingPrefix}${name}`)
}

/**
 * Removes what killed installations have left, also those of other models.
 * @throws {Error} if the files of this model cannot be removed. Those of others do not matter to it.
 */
async function removeStaging(folder: string, entry: CatalogueEntry): Promise<void> {
  const own = stagingOf(folder, entry)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(stagingPrefix)) continue
    const left = join(folder, name)
    await rm(left, { recursive: true, force: true }).catch((error) => {
      if (left === own) throw error
    })
  }
}

async function rejectExisting({ name }: CatalogueEntry, target: string): Promise<void> {
  if (await readInstalled(target)) {
    throw new ModelError('ALREADY_INSTALLED', `${name} is already installed`)
  }
  const names = await readdir(target).catch(() => undefined)
  if (names) {
    throw new ModelError(
      'ALREADY_INSTALLED',
      `The folder ${target} exists, but this program has not installed it. Move it away first`,
    )
  }
}

/** @returns the folder of the model in the staging folder, with its record. */
async function stageModel(
  entry: CatalogueEntry,
  staging: string,
  options: InstallOptions,
): Promise<string> {
  const { fetch = (place: string) => fetchModel(entry, place, options) } = options
  await mkdir(staging)
  const provenance = await fetch(staging)
  const staged = join(staging, entry.folder)
  if (isHibari(entry)) await replaceGraph(staged)
  await writeAbout(entry, staged)
  const files = await describeFiles(staged)
  const installedAt = new Date().toISOString()
  const { name, kind } = entry
  await writeRecord(staged, { version: 1, name, kind, ...provenance, installedAt, files })
  return staged
}

/** Writes down which name and language the service shows. */
async function writeAbout(
  { displayName, langCode }: CatalogueEntry,
  folder: string,
): Promise<void> {
  await writeFile(join(folder, 'parlando.json'), `${JSON.stringify({ displayName, langCode })}\n`)
}
