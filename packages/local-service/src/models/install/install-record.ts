import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@parlando/core/wire'
import { z } from 'zod'
import { readTextFile } from '../../machine/user-files.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { sha256Of } from './download.ts'

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
/** Where a model comes from. */
export type Provenance = Pick<InstallRecord, 'origin' | 'isConfirmed'>

/** A model that `installModel` has installed. */
export interface InstalledModel extends InstallRecord {
  folder: string
  bytes: number
}

/** The folder into which models are installed, by the commands and by the endpoints. */
export function installFolderOf(dataFolder: string): string {
  return join(dataFolder, 'models')
}

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

/** @throws {ModelError} if no model of this name is installed. */
export async function findInstalled(folder: string, name: string): Promise<InstalledModel> {
  const found = (await listInstalled(folder)).find((model) => model.name === name)
  if (!found) throw notInstalled(name)
  return found
}

export function notInstalled(name: string): ModelError {
  return new ModelError('NOT_INSTALLED', `${name} is not installed`)
}
