import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { readTextFile } from '../../read-text-file.ts'
import { cloningFamilies, type ModelFiles, recogniseModel } from './model-files.ts'

/** A model in a folder. It is not loaded yet. */
export interface Model {
  /** The name of its folder. */
  name: string
  displayName: string
  langCode: string
  family: ModelFiles['family']
  /** The configuration for sherpa-onnx. */
  config: { model: Record<string, unknown>; ruleFsts?: string }
  /** The recordings that it can imitate; empty for a model with its own voices. */
  recordings: readonly Recording[]
}

export interface Recording {
  name: string
  wavPath: string
  /** The transcript, if known. */
  text?: string
}

const aboutSchema = z.strictObject({
  langCode: z
    .string()
    .regex(/^[A-Z]{2,3}_([A-Z]{2}|\d{3})$/, 'must be a language code of the form DE_DE')
    .optional(),
  displayName: z.string().min(1).max(100).optional(),
})

const maxModels = 20
const maxRecordings = 50
const maxTextBytes = 64 * 1024

/**
 * Reads the subfolders of a folder as models.
 * @param warn receives each subfolder that is not a model, with the reason.
 * @throws {Error} if the folder does not exist.
 */
export async function readModels(
  folder: string,
  warn: (message: string) => void,
): Promise<Model[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter(
    (entry) => !entry.isFile() && isReadable(entry) && !entry.name.startsWith('.'),
  )
  const models: Model[] = []
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, name)
    try {
      if (models.length === maxModels)
        throw new Error(`only the first ${maxModels} models are used`)
      models.push(await readModel(path))
    } catch (error) {
      warn(`The model ${path} is skipped: ${(error as Error).message}`)
    }
  }
  return models
}

async function readModel(path: string): Promise<Model> {
  const name = basename(path)
  const names = await listNames(path)
  const found = recogniseModel(name, names)
  if (!found) throw new Error('its files do not match any model family of sherpa-onnx')
  const { family, files, ruleFsts } = found
  const about = names.includes('parlando.json') ? await readAbout(join(path, 'parlando.json')) : {}
  const isCloning = cloningFamilies.includes(family)
  const recordings = isCloning ? await readRecordings(join(path, 'voices')) : []
  if (isCloning && recordings.length === 0) {
    throw new Error(
      'it has no voice of its own: put a recording (anna.wav) and its transcript (anna.txt) into its subfolder voices',
    )
  }
  const inFolder = (list: string) =>
    list
      .split(',')
      .map((file) => join(path, file))
      .join(',')
  const paths = Object.entries(files).map(([key, list]) => [key, inFolder(list)])
  return {
    name,
    displayName: about.displayName ?? name,
    langCode: about.langCode ?? languageIn(name) ?? 'EN_US',
    family,
    config: {
      model: { [family]: Object.fromEntries(paths) },
      ...(ruleFsts ? { ruleFsts: inFolder(ruleFsts) } : {}),
    },
    recordings,
  }
}

async function listNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(isReadable).map(({ name }) => name)
}

/** A named pipe would keep the reader waiting for a writer. */
function isReadable(entry: Dirent): boolean {
  return !entry.isFIFO() && !entry.isSocket() && !entry.isCharacterDevice()
}

async function readAbout(path: string): Promise<z.infer<typeof aboutSchema>> {
  const parsed = aboutSchema.safeParse(JSON.parse(await readTextFile(path, maxTextBytes)))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new Error(`parlando.json: ${problems.join('; ')}`)
}

async function readRecordings(folder: string): Promise<Recording[]> {
  const names: string[] = await listNames(folder).catch(() => [])
  const wavs = names
    .filter((name) => /\.wav$/i.test(name))
    .sort()
    .slice(0, maxRecordings)
  return Promise.all(
    wavs.map(async (file) => {
      const name = file.slice(0, -'.wav'.length)
      const hasText = names.includes(`${name}.txt`)
      const text = hasText
        ? (await readTextFile(join(folder, `${name}.txt`), maxTextBytes)).trim()
        : undefined
      return { name, wavPath: join(folder, file), text }
    }),
  )
}

/** @returns the language in the name of a folder such as `vits-piper-de_DE-thorsten` or `kokoro-en-v0_19`. */
function languageIn(name: string): string | undefined {
  const [, exact] = /(?:^|[-.])([a-z]{2,3}_[A-Z]{2})(?:[-.]|$)/.exec(name) ?? []
  if (exact) return exact.toUpperCase()
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const language = name.split('-').find((part) => /^[a-z]{2}$/.test(part) && names.of(part))
  const { region } = new Intl.Locale(language ?? 'und').maximize()
  return language && region ? `${language}_${region}`.toUpperCase() : undefined
}
