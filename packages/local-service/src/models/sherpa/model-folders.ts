import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { readTextFile } from '../../machine/user-files.ts'
import { isHibariFolder } from '../hibari/hibari-models.ts'
import { type ModelKind, modelKind } from './model-kind.ts'

/** A subfolder with a model. */
export interface ModelFolder {
  path: string
  name: string
  /** Its entries. */
  files: readonly string[]
  displayName: string
  /** When files were last added or removed: another time after the model was replaced. */
  changedAtMs: number
  /** Language codes such as `DE_DE`, from `parlando.json` or the name of the folder. Empty: unknown. */
  langCodes: readonly string[]
}

export interface ReadOptions<Model> {
  kind: ModelKind
  /** @throws {Error} if the folder does not contain a model that can be used. */
  read(folder: ModelFolder): Promise<Model> | Model
  /** Receives each subfolder that is skipped, with the reason. */
  warn(message: string): void
}

const aboutSchema = z.strictObject({
  langCode: z
    .string()
    .regex(/^[A-Z]{2,3}_([A-Z]{2}|\d{3})$/, 'must be a language code of the form DE_DE')
    .optional(),
  displayName: z.string().min(1).max(100).optional(),
})

const maxModels = 20
const maxAboutBytes = 64 * 1024

/**
 * Reads the subfolders of a folder as models of one kind.
 * @throws {Error} if the folder does not exist.
 */
export async function readModelFolders<Model>(
  folder: string,
  { kind, read, warn }: ReadOptions<Model>,
): Promise<Model[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => !entry.isFile() && isReadable(entry) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !isHibariFolder(name))
  const models: Model[] = []
  for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
    const path = join(folder, name)
    try {
      const files = await listNames(path)
      if (modelKind(name, files) !== kind) continue
      if (models.length === maxModels)
        throw new Error(`only the first ${maxModels} models are used`)
      models.push(await read(await describe(path, files)))
    } catch (error) {
      warn(`The model ${path} is skipped: ${(error as Error).message}`)
    }
  }
  return models
}

/** Reads the models of one kind in all folders that exist. */
export async function readAllModels<Model>(
  folders: readonly string[],
  options: ReadOptions<Model>,
): Promise<Model[]> {
  const reading = folders.map((folder) => readModelFolders(folder, options).catch(() => []))
  return (await Promise.all(reading)).flat()
}

async function describe(path: string, files: readonly string[]): Promise<ModelFolder> {
  const name = basename(path)
  const about = files.includes('parlando.json') ? await readAbout(join(path, 'parlando.json')) : {}
  return {
    path,
    name,
    files,
    changedAtMs: await changedAtMs(path),
    displayName: about.displayName ?? name,
    langCodes: about.langCode ? [about.langCode] : languagesIn(name),
  }
}

/** @returns when entries of a folder were last added or removed; 0 if it does not exist. */
export async function changedAtMs(folder: string): Promise<number> {
  return stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

/** Whether two models are the same: one that replaces another has its path. */
export function isSameModel(
  one: Pick<ModelFolder, 'path' | 'changedAtMs'>,
  other: Pick<ModelFolder, 'path' | 'changedAtMs'>,
): boolean {
  return one.path === other.path && one.changedAtMs === other.changedAtMs
}

/** The entries of a folder that can be opened without waiting. */
export async function listNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(isReadable).map(({ name }) => name)
}

/** A named pipe would keep the reader waiting for a writer. */
function isReadable(entry: Dirent): boolean {
  return !entry.isFIFO() && !entry.isSocket() && !entry.isCharacterDevice()
}

async function readAbout(path: string): Promise<z.infer<typeof aboutSchema>> {
  const parsed = aboutSchema.safeParse(JSON.parse(await readTextFile(path, maxAboutBytes)))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new Error(`parlando.json: ${problems.join('; ')}`)
}

/**
 * @returns the languages in the name of a folder such as `vits-piper-de_DE-thorsten`, `kokoro-en-v0_19` or
 * `sense-voice-zh-en-ja-ko-yue`.
 */
function languagesIn(name: string): string[] {
  const [, exact] = /(?:^|[-.])([a-z]{2,3}_[A-Z]{2})(?:[-.]|$)/.exec(name) ?? []
  if (exact) return [exact.toUpperCase()]
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  // Other names of three letters look like languages too: ctc, tdt.
  const languages = name.split(/[-.]/).filter((part) => /^([a-z]{2}|yue)$/.test(part))
  return languages
    .filter((language) => names.of(language))
    .flatMap((language) => {
      const { region } = new Intl.Locale(language).maximize()
      return region ? `${language}_${region}`.toUpperCase() : []
    })
}
