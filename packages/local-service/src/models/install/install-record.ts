import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@parlando/core/wire'
import { z } from 'zod'
import { readTextFile } from '../../machine/user-files.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { lockFolder } from './lock-folder.ts'

/** Written into the folder of each installed model. */
export const recordName = '.parlando.json'

const recordSchema = z.object({
  version: z.literal(1),
  name: z.string(),
  kind: z.enum(['voice', 'recogniser', 'wake-word']),
  /** Where it came from: a host, or a file. */
  origin: z.string(),
  installedAt: z.string(),
  /** Whether two independent projects have published the checksum of the download. */
  isConfirmed: z.boolean(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
})

export type InstallRecord = z.infer<typeof recordSchema>
export type RecordedFile = InstallRecord['files'][number]

/** A model that `installModel` has installed. */
export interface InstalledModel extends InstallRecord {
  folder: string
  bytes: number
}

const removedPrefix = '.removed-'
const maxRecordBytes = 1024 * 1024

/** @param folder the folder of the models, which need not exist. */
export async function listInstalled(folder: string): Promise<InstalledModel[]> {
  const names = await readdir(folder).catch(() => [])
  const models = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => readInstalled(join(folder, name))),
  )
  return models.flatMap((model) => model ?? [])
}

export async function readInstalled(folder: string): Promise<InstalledModel | undefined> {
  const text = await readTextFile(join(folder, recordName), maxRecordBytes).catch(() => undefined)
  const parsed = text === undefined ? undefined : recordSchema.safeParse(parseJson(text))
  if (!parsed?.success) return undefined
  const bytes = parsed.data.files.reduce((sum, file) => sum + file.bytes, 0)
  return { ...parsed.data, folder, bytes }
}

export async function writeRecord(folder: string, record: InstallRecord): Promise<void> {
  await writeFile(join(folder, recordName), `${JSON.stringify(record, null, 1)}\n`)
}

/** The files of a model's folder with their checksums, except the record. */
export async function describeFiles(folder: string): Promise<RecordedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== join(folder, recordName))
    .sort()
  const files: RecordedFile[] = []
  for (const path of paths) {
    const { size } = await stat(path)
    const relative = path.slice(folder.length + 1).replaceAll('\\', '/')
    files.push({ path: relative, bytes: size, sha256: await sha256Of(path) })
  }
  return files
}

/** @returns the files that are missing or differ from those that were installed. */
export async function changedFiles({ folder, files }: InstalledModel): Promise<string[]> {
  const found = new Map((await describeFiles(folder)).map((file) => [file.path, file.sha256]))
  return files.filter(({ path, sha256 }) => found.get(path) !== sha256).map(({ path }) => path)
}

/**
 * Removes a model. A running service notices it in a few seconds; its running utterances end first.
 * @throws {ModelError} if it is not installed, or if its files cannot be deleted, as on Windows while a program uses them.
 */
export async function removeModel(folder: string, name: string): Promise<InstalledModel> {
  const release = await lockFolder(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw notInstalled(name)
    throw error
  })
  try {
    await deleteRemoved(folder, name)
    const model = await findInstalled(folder, name)
    // A model that is removed halfway would be a damaged one.
    await rename(model.folder, join(folder, `${removedPrefix}${name}@${randomUUID()}`))
    await deleteRemoved(folder, name)
    return model
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

/** @throws {ModelError} if no model of this name is installed. */
export async function findInstalled(folder: string, name: string): Promise<InstalledModel> {
  const found = (await listInstalled(folder)).find((model) => model.name === name)
  if (!found) throw notInstalled(name)
  return found
}

function notInstalled(name: string): ModelError {
  return new ModelError('NOT_INSTALLED', `${name} is not installed`)
}

/** Adds the bytes of a file to a hash. */
export async function hashFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk)
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await hashFile(path, hash)
  return hash.digest('hex')
}
