import type { Engine, EngineVoice } from '../engines/engine.ts'
import { createHibariEngine } from '../engines/hibari/hibari-engine.ts'
import { createSherpaEngine } from '../engines/sherpa/sherpa-engine.ts'
import { ModelError } from '../models/catalogue/model-error.ts'
import { listHibariModels } from '../models/hibari/hibari-models.ts'
import type { InstalledSherpa } from '../models/sherpa/find-models-folders.ts'
import type { Recogniser } from '../recognisers/recogniser.ts'
import { createSherpaRecogniser } from '../recognisers/sherpa/sherpa-recogniser.ts'

/** An engine with a model, and the voices of the model. */
export interface OpenVoices {
  engine: Engine
  voices: readonly EngineVoice[]
}

/**
 * Opens the only model in a folder, which speaks.
 * @param packagePath needed unless it is a voice of hibari.
 * @throws {ModelError} with the reason why it cannot be used.
 */
export async function openVoices(
  folder: string,
  packagePath: string | undefined,
): Promise<OpenVoices> {
  const [model] = await listHibariModels(folder)
  const engine = model
    ? await createHibariEngine({ modelsFolder: folder })
    : await openVoiceModel(folder, packagePath!)
  const isOfModel = ({ name }: EngineVoice) => !model || name === model.name
  return { engine, voices: engine.voices.filter(isOfModel) }
}

/**
 * Opens the only model of sherpa-onnx in a folder, which speaks.
 * @throws {ModelError} with the reason why it cannot be used.
 */
export async function openVoiceModel(folder: string, packagePath: string): Promise<Engine> {
  return openOnly(folder, (options) => createSherpaEngine({ ...options, package: { packagePath } }))
}

/**
 * Opens the only model of sherpa-onnx in a folder, which recognises speech.
 * @throws {ModelError} with the reason why it cannot be used.
 */
export async function openRecogniserModel(
  folder: string,
  packagePath: string,
): Promise<Recogniser> {
  return openOnly(folder, (options) => createSherpaRecogniser({ ...options, packagePath }))
}

async function openOnly<Opened>(
  folder: string,
  open: (options: Pick<InstalledSherpa, 'findFolders' | 'warn'>) => Promise<Opened | undefined>,
): Promise<Opened> {
  const reasons: string[] = []
  const opened = await open({
    findFolders: async () => [folder],
    warn: (message) => void reasons.push(message),
  })
  if (opened) return opened
  throw new ModelError('LOAD_FAILED', `The model cannot be loaded. ${reasons.join(' ')}`)
}
