import { join } from 'node:path'
import { readTextFile } from '../../machine/user-files.ts'
import { listNames, type ModelFolder, readModelFolders } from '../../models/sherpa/model-folders.ts'
import type { ImitatedRecording } from '../engine.ts'
import { cloningFamilies, identifyVoiceModel, type VoiceModelFiles } from './voice-model-files.ts'

/** A model in a folder. It is not loaded yet. */
export interface Model {
  /** Its folder, and the name of the folder. */
  path: string
  name: string
  /** When files were last added or removed, as in `ModelFolder`. */
  changedAtMs: number
  displayName: string
  /** `AUTO` for a model with several languages. */
  langCode: string
  /** The languages in the name of the model, if there are several. */
  langCodes?: readonly string[]
  family: VoiceModelFiles['family']
  /** The configuration for sherpa-onnx. */
  config: { model: Record<string, Record<string, string>>; ruleFsts?: string }
  /** Whether it has no voice of its own and imitates recordings. */
  isCloning: boolean
  /** The recordings that it can imitate; empty for a model with its own voices. */
  recordings: readonly NamedRecording[]
}

export interface NamedRecording extends ImitatedRecording {
  name: string
}

const maxRecordings = 50
const maxTextBytes = 64 * 1024

/**
 * Reads the subfolders of a folder as models, except those that recognise speech.
 * @param warn receives each subfolder that is not a model, with the reason.
 * @throws {Error} if the folder does not exist.
 */
export async function readModels(
  folder: string,
  warn: (message: string) => void,
): Promise<Model[]> {
  return readModelFolders(folder, { kind: 'voice', read: readModel, warn })
}

async function readModel({ path, name, files: names, ...about }: ModelFolder): Promise<Model> {
  const found = identifyVoiceModel(name, names)
  if (!found) {
    const voiceFile = names.find((file) => file.endsWith('.onnx') && names.includes(`${file}.json`))
    throw new Error(
      voiceFile
        ? `it is a voice of Piper without the files of sherpa-onnx. This adds them: parlando-local voices add ${join(path, voiceFile)}`
        : 'its files do not match any model family of sherpa-onnx',
    )
  }
  const { family, files, ruleFsts } = found
  const isSupertonic = family === 'supertonic'
  const isCloning = cloningFamilies.includes(family)
  const recordings = isCloning ? await readRecordings(join(path, 'voices')) : []
  const inFolder = (list: string) =>
    list
      .split(',')
      .map((file) => join(path, file))
      .join(',')
  const paths = Object.entries(files).map(([key, list]) => [key, inFolder(list)])
  return {
    path,
    name,
    changedAtMs: about.changedAtMs,
    // The name of the folder is that of an archive.
    displayName: isSupertonic && about.displayName === name ? 'Supertonic' : about.displayName,
    langCode: about.langCodes[0] ?? (isSupertonic ? 'AUTO' : 'EN_US'),
    langCodes: about.langCodes.length > 1 ? about.langCodes : undefined,
    family,
    isCloning,
    config: {
      model: { [family]: Object.fromEntries(paths) },
      ...(ruleFsts ? { ruleFsts: inFolder(ruleFsts) } : {}),
    },
    recordings,
  }
}

async function readRecordings(folder: string): Promise<NamedRecording[]> {
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
