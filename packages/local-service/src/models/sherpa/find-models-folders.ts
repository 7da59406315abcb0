import { readdir } from 'node:fs/promises'
import { type Option, readText } from '../../config/option.ts'
import type { StartContext } from '../../part-registry/part-definition.ts'
import { isHibariFolder } from '../hibari/hibari-models.ts'
import { installFolderOf } from '../install/install-record.ts'
import { type FoundSherpa, findSherpa } from './find-sherpa.ts'

/** @returns the folder of the user, even if it does not exist, then that of the commands, if models for sherpa-onnx are in it. */
export async function findModelsFolders(
  given: string | undefined,
  dataFolder: string | undefined,
): Promise<string[]> {
  const installed = dataFolder ? installFolderOf(dataFolder) : undefined
  const names = installed ? await readdir(installed).catch(() => []) : []
  const hasModels = names.some((name) => !name.startsWith('.') && !isHibariFolder(name))
  return [given, hasModels ? installed : undefined].flatMap((folder) => folder ?? [])
}

/** One folder for both kinds of models, so the engine and the recogniser have the same option. */
export const sherpaModelsOption = {
  placeholder: 'FOLDER',
  help: 'folder with models for sherpa-onnx, whose voices and recognisers are offered too',
  read: readText,
} as const satisfies Option<string>

/** Where sherpa-onnx and its models are. */
export interface SherpaPlaces {
  /** @returns folders whose subfolders are models. Called again whenever a model may have been added or removed. */
  findFolders(): Promise<readonly string[]>
  package: FoundSherpa
}

export interface InstalledSherpa extends Pick<SherpaPlaces, 'findFolders'> {
  /** The main file of `sherpa-onnx-node`. */
  packagePath: string
  /** Receives the models that are skipped or fail, with the reason. */
  warn(message: string): void
}

/** Finds what engine, recogniser and detector of sherpa-onnx need. @returns `undefined` if there is no folder with models. */
export async function findSherpaPlaces({
  options: { sherpaModels },
  enginesFolder,
  dataFolder,
}: StartContext<{ sherpaModels: typeof sherpaModelsOption }>): Promise<SherpaPlaces | undefined> {
  const findFolders = () => findModelsFolders(sherpaModels, dataFolder)
  if ((await findFolders()).length === 0) return undefined
  return { findFolders, package: findSherpa([enginesFolder, dataFolder]) }
}

/** What a recogniser or a detector of sherpa-onnx needs. @returns `undefined` also without the package, which the engine reports. */
export async function findInstalledSherpa(
  context: StartContext<{ sherpaModels: typeof sherpaModelsOption }>,
): Promise<InstalledSherpa | undefined> {
  const places = await findSherpaPlaces(context)
  const packagePath = places?.package.packagePath
  if (!packagePath) return undefined
  return { findFolders: places.findFolders, packagePath, warn: context.warn }
}
