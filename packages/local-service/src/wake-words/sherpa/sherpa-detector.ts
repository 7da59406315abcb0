import { join } from 'node:path'
import {
  findInstalledSherpa,
  type InstalledSherpa,
  sherpaModelsOption,
} from '../../models/sherpa/find-models-folders.ts'
import { isSameModel, type ModelFolder, readAllModels } from '../../models/sherpa/model-folders.ts'
import { removedError } from '../../models/sherpa/removed-error.ts'
import { programPath } from '../../processes/program.ts'
import { identifyRecogniserModel } from '../../recognisers/sherpa/recogniser-model-files.ts'
import { DetectorProcess } from '../process/detector-process.ts'
import {
  type DetectorModel,
  defineWakeWordDetector,
  type PhraseSearch,
  type WakeWordDetector,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'
import type { SpotterConfig } from './sherpa-phrase-program.ts'

/** A model in a folder. */
interface FoundModel extends Pick<ModelFolder, 'path' | 'changedAtMs'> {
  model: DetectorModel
  config: SpotterConfig
}

/** A model with its process, which runs from the first stream on. */
interface OpenModel extends FoundModel {
  program: DetectorProcess<PhraseSearch>
}

// Each takes some 3 % of a core.
const maxStreams = 8

/** An optional detector, for models of sherpa-onnx that find any phrase. */
export const sherpa = defineWakeWordDetector({
  name: 'sherpa',
  options: { sherpaModels: sherpaModelsOption },
  async start(context) {
    const installed = await findInstalledSherpa(context)
    return installed && createSherpaDetector(installed)
  },
  refresh: async (detector) => detector.refresh?.(),
})

/** @returns `undefined` if the folders contain no such model. */
export async function createSherpaDetector(
  options: InstalledSherpa,
): Promise<WakeWordDetector | undefined> {
  const opened = new Map<string, OpenModel>()
  const refresh = async () => {
    const found = await findModels(options)
    for (const [modelId, open] of opened) {
      if (found.some((each) => isSameModel(each, open))) continue
      opened.delete(modelId)
      await open.program.close()
    }
    for (const each of found) {
      const { modelId } = each.model
      if (!opened.has(modelId)) opened.set(modelId, openModel(each, options))
    }
  }
  await refresh()
  if (opened.size === 0) return undefined

  return {
    name: 'sherpa',
    get models() {
      return [...opened.values()].map(({ model }) => model)
    },
    async open({ modelId, phrases, sensitivity, signal }) {
      const open = opened.get(modelId)
      if (!open) throw removedError(`The wake word model ${modelId}`, 'one')
      return open.program.open({ phrases, sensitivity }, signal)
    },
    refresh,
    async close() {
      await Promise.all([...opened.values()].map(({ program }) => program.close()))
    },
  }
}

async function findModels({ findFolders, warn }: InstalledSherpa): Promise<FoundModel[]> {
  return readAllModels(await findFolders(), { kind: 'wake-word', read: readModel, warn })
}

function readModel(folder: ModelFolder): FoundModel {
  const { path, name, changedAtMs, files: names, displayName, langCodes } = folder
  const found = identifyRecogniserModel(name, names)
  if (found?.family !== 'transducer') throw new Error('its files are not those of a transducer')
  const parts = Object.entries(found.files).map(([part, file]) => [part, join(path, file)])
  return {
    path,
    changedAtMs,
    model: {
      modelId: `sherpa/${name}`,
      displayName: `${displayName} (sherpa)`,
      langCodes,
      isRough: false,
    },
    config: {
      featConfig: { sampleRate: wakeWordRateHertz, featureDim: 80 },
      modelConfig: {
        transducer: Object.fromEntries(parts),
        tokens: join(path, found.tokens),
        numThreads: 1,
        provider: 'cpu',
      },
    },
  }
}

/** In a process of its own, because sherpa-onnx ends its process if a model is damaged. */
function openModel(found: FoundModel, { packagePath, warn }: InstalledSherpa): OpenModel {
  const program = new DetectorProcess<PhraseSearch>({
    name: `The wake word model ${found.model.modelId}`,
    programPath: programPath('sherpa-phrase-program'),
    readArguments: () => [packagePath, JSON.stringify(found.config)],
    maxStreams,
    warn,
  })
  return { ...found, program }
}
