import type { Engine } from '../../engines/engine.ts'
import { createSherpaEngine } from '../../engines/sherpa/sherpa-engine.ts'
import { cloningFamilies } from '../../engines/sherpa/voice-model-files.ts'
import type { Recogniser } from '../../recognisers/recogniser.ts'
import { createSherpaRecogniser } from '../../recognisers/sherpa/sherpa-recogniser.ts'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import type { ModelKind } from '../sherpa/model-folders.ts'
import type { InstallOptions } from './install.ts'

/**
 * The test of a model before it is offered. Without sherpa-onnx-node there is none, nor for a model that imitates recordings: it
 * cannot be loaded without one.
 */
export function loaderFor(
  { kind, family }: CatalogueEntry,
  packagePath: string | undefined,
): Pick<InstallOptions, 'load'> {
  if (!packagePath || cloningFamilies.some((each) => each === family)) return {}
  return {
    async load(folder) {
      const opened = await openInstalledModel(kind, folder, packagePath)
      await opened.close()
    },
  }
}

/**
 * Opens the only model in a folder.
 * @throws {ModelError} with the reason why it cannot be used.
 */
export async function openInstalledModel(
  kind: 'voice',
  folder: string,
  packagePath: string,
): Promise<Engine>
export async function openInstalledModel(
  kind: 'recogniser',
  folder: string,
  packagePath: string,
): Promise<Recogniser>
export async function openInstalledModel(
  kind: ModelKind,
  folder: string,
  packagePath: string,
): Promise<Engine | Recogniser>
export async function openInstalledModel(kind: ModelKind, folder: string, packagePath: string) {
  const reasons: string[] = []
  const options = {
    findFolders: async () => [folder],
    warn: (message: string) => void reasons.push(message),
  }
  const opened =
    kind === 'voice'
      ? await createSherpaEngine({ ...options, package: { packagePath } })
      : await createSherpaRecogniser({ ...options, packagePath })
  if (opened) return opened
  throw new ModelError('LOAD_FAILED', `The model cannot be loaded. ${reasons.join(' ')}`)
}
