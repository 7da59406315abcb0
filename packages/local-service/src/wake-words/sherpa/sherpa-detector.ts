import { join } from 'node:path'
import {
  findInstalledSherpa,
  type InstalledSherpa,
  sherpaModelsOption,
} from '../../models/sherpa/find-models-folders.ts'
import { type ModelFolder, readAllModels } from '../../models/sherpa/model-folders.ts'
import { type ModelInFolder, openPresentModels } from '../../models/sherpa/open-present-models.ts'
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

interface FoundDetector extends ModelInFolder<DetectorModel> {
  config: SpotterConfig
}

/** A model with its process, which runs from the first stream on. */
interface OpenDetector extends FoundDetector {
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
  const models = await openPresentModels<FoundDetector, OpenDetector>({
    name: 'The wake word model',
    find: () => findModels(options),
    open: (found) => openModel(found, options),
    retire: ({ program }) => program.close(),
  })
  if (models.all.length === 0) return undefined

  return {
    name: 'sherpa',
    get models() {
      return models.all.map(({ model }) => model)
    },
    async open({ modelId, phrases, sensitivity, signal }) {
      return models.get(modelId).program.open({ phrases, sensitivity }, signal)
    },
    refresh: models.refresh,
    async close() {
      await Promise.all(models.all.map(({ program }) => program.close()))
    },
  }
}

async function findModels({ findFolders, warn }: InstalledSherpa): Promise<FoundDetector[]> {
  return readAllModels(await findFolders(), { kind: 'wake-word', read: readModel, warn })
}

function readModel(folder: ModelFolder): FoundDetector {
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
function openModel(found: FoundDetector, { packagePath, warn }: InstalledSherpa): OpenDetector {
  const program = new DetectorProcess<PhraseSearch>({
    name: `The wake word model ${found.model.modelId}`,
    programPath: programPath('sherpa-phrase-program'),
    readArguments: () => [packagePath, JSON.stringify(found.config)],
    maxStreams,
    warn,
  })
  return { ...found, program }
}
