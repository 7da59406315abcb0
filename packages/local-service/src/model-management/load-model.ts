import { tryHibariModel } from '../engines/hibari/hibari-engine.ts'
import { cloningFamilies } from '../engines/sherpa/voice-model-files.ts'
import { findBuiltInData } from '../machine/built-in-data.ts'
import { type CatalogueEntry, isHibari } from '../models/catalogue/catalogue.ts'
import { ModelError } from '../models/catalogue/model-error.ts'
import { listHibariModels } from '../models/hibari/hibari-models.ts'
import type { InstallOptions } from '../models/install/install-model.ts'
import { createSherpaDetector } from '../wake-words/sherpa/sherpa-detector.ts'
import { openRecogniserModel, openVoiceModel } from './open-model.ts'

/**
 * The test of a model before it is offered. A model of sherpa-onnx is not tested where sherpa-onnx-node is not installed, and a model
 * that imitates recordings never, because it cannot be loaded without a recording.
 */
export function loaderFor(
  entry: CatalogueEntry,
  packagePath: string | undefined,
): Pick<InstallOptions, 'load'> {
  const { kind, family } = entry
  if (isHibari(entry)) return { load: loadHibari }
  if (!packagePath || cloningFamilies.some((each) => each === family)) return {}
  if (kind === 'wake-word') return { load: (folder) => loadDetector(folder, packagePath) }
  return {
    async load(folder) {
      const open = kind === 'voice' ? openVoiceModel : openRecogniserModel
      const opened = await open(folder, packagePath)
      await opened.close()
    },
  }
}

/** @param folder with one voice. @throws {ModelError} if it cannot speak. */
async function loadHibari(folder: string): Promise<void> {
  if (!findBuiltInData()) {
    throw new ModelError(
      'INCOMPLETE',
      `The voice needs the package @parlando/voices, which knows how words sound: run npm install @parlando/voices beside @parlando/local-service`,
    )
  }
  const [model] = await listHibariModels(folder)
  if (!model) throw new ModelError('LOAD_FAILED', 'The voice has no weights')
  await tryHibariModel(model).catch((error: Error) => {
    throw new ModelError('LOAD_FAILED', `The voice cannot speak: ${error.message}`)
  })
}

/** @param folder with one model. @throws {ModelError} if it cannot search for a phrase. */
async function loadDetector(folder: string, packagePath: string): Promise<void> {
  const reasons: string[] = []
  const detector = await createSherpaDetector({
    findFolders: async () => [folder],
    packagePath,
    warn: (message) => void reasons.push(message),
  })
  try {
    const [{ modelId } = { modelId: '' }] = detector?.models ?? []
    const { signal } = new AbortController()
    const search = { modelId, phrases: ['hello'], sensitivity: 0.5, signal }
    const stream = await detector?.open(search)
    stream?.close()
  } catch (error) {
    reasons.push((error as Error).message)
  } finally {
    await detector?.close()
  }
  if (detector && reasons.length === 0) return
  throw new ModelError('LOAD_FAILED', `The model cannot be loaded. ${reasons.join(' ')}`)
}
