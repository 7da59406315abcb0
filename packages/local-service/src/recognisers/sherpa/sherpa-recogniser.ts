import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { languageOf } from '@parlando/core/text'
import { estimateMemory, freeMemory, requireMemory } from '../../machine/resources.ts'
import {
  findInstalledSherpa,
  type InstalledSherpa,
  sherpaModelsOption,
} from '../../models/sherpa/find-models-folders.ts'
import { type ModelFolder, readAllModels } from '../../models/sherpa/model-folders.ts'
import { type ModelInFolder, openPresentModels } from '../../models/sherpa/open-present-models.ts'
import { programPath } from '../../processes/program.ts'
import { RecogniserProcess } from '../process/recogniser-process.ts'
import {
  defineRecogniser,
  type Recogniser,
  type RecogniserModel,
  recogniserRateHertz,
} from '../recogniser.ts'
import { toWhisperLanguage } from '../whisper-languages.ts'
import { type Family, identifyRecogniserModel } from './recogniser-model-files.ts'
import type {
  SherpaConfig,
  SherpaRecogniserInfo,
  SherpaStart,
} from './sherpa-recogniser-program.ts'

export interface SherpaRecogniserOptions extends InstalledSherpa {
  /** The memory that a model can take. Default: that of this machine. */
  freeMemory?(): number
}

interface FoundRecogniser extends ModelInFolder<RecogniserModel> {
  family: Family
  config: SherpaConfig
  /** The paths of the parts of the model. */
  files: readonly string[]
}

/** A model with its process, which runs from the first utterance on. */
interface OpenRecogniser extends FoundRecogniser {
  program: RecogniserProcess<SherpaRecogniserInfo, SherpaStart>
}

const threads = 2
// Utterances that are spoken at the same time. Decoding already uses several cores.
const maxSlots = 4
const maxGrowthBytes = 1024 * 1024 * 1024
const familiesWithoutTimes: readonly Family[] = ['whisper', 'moonshine', 'paraformer']

/**
 * An optional recogniser, for the models in the folder that do not speak. If the package cannot be used or the folder is
 * missing, the engine of the same name reports it.
 */
export const sherpa = defineRecogniser({
  name: 'sherpa',
  options: { sherpaModels: sherpaModelsOption },
  async start(context) {
    const installed = await findInstalledSherpa(context)
    return installed && createSherpaRecogniser(installed)
  },
  refresh: async (recogniser) => recogniser.refresh?.(),
})

/**
 * Neural recognisers of sherpa-onnx, with models that the user provides. Each model runs in its own process, because
 * sherpa-onnx ends its process if a model is damaged.
 * @returns `undefined` if no model can be used; `warn` receives the reasons.
 */
export async function createSherpaRecogniser(
  options: SherpaRecogniserOptions,
): Promise<Recogniser | undefined> {
  /** All programs, also those of removed models, which end after their last utterance. */
  const programs = new Set<OpenRecogniser['program']>()
  const models = await openPresentModels<FoundRecogniser, OpenRecogniser>({
    name: 'The recogniser',
    find: () => findModels(options),
    async open(found) {
      const open = await openRecogniserModel(found, options)
      if (open) programs.add(open.program)
      return open
    },
    retire: ({ program }) => program.retire(),
  })
  if (models.all.length === 0) return undefined

  return {
    name: 'sherpa',
    get models() {
      return models.all.map(({ model }) => model)
    },
    async open({ modelId, language, prompts = [], withWords, signal, onInterim }) {
      // A live transcription notices that its model was removed when its next turn begins.
      const model = models.get(modelId)
      const start = {
        withWords,
        withInterim: onInterim !== undefined,
        language: toSherpaLanguage(model.family, language),
        prompts,
      }
      return model.program.open(start, { signal, onInterim })
    },
    refresh: models.refresh,
    async close() {
      await Promise.all([...programs].map((program) => program.close()))
    },
  }
}

async function findModels({
  findFolders,
  warn,
}: SherpaRecogniserOptions): Promise<FoundRecogniser[]> {
  return readAllModels(await findFolders(), { kind: 'recogniser', read: readModel, warn })
}

function readModel(folder: ModelFolder): FoundRecogniser {
  const { path, name, changedAtMs, files: names, displayName, langCodes } = folder
  const found = identifyRecogniserModel(name, names)
  if (!found) throw new Error('its files do not match any recogniser of sherpa-onnx')
  const { family, isStreaming, tokens } = found
  const paths = Object.entries(found.files).map(([key, file]) => [key, join(path, file)] as const)
  const isNemo = /nemo|parakeet/i.test(name)
  const model: RecogniserModel = {
    modelId: `sherpa/${name}`,
    displayName: `${displayName} (sherpa)`,
    langCodes,
    hasInterimResults: isStreaming,
    timesWords: !familiesWithoutTimes.includes(family),
    matchesSentences: false,
  }
  // Only these models take expected words, with a search that costs more.
  const takesPrompts = family === 'transducer' && !isNemo
  const config: SherpaConfig = {
    isStreaming,
    takesPrompts,
    featConfig: { sampleRate: recogniserRateHertz, featureDim: 80 },
    modelConfig: {
      [family]: Object.fromEntries(paths),
      tokens: join(path, tokens),
      numThreads: Math.min(threads, availableParallelism()),
      provider: 'cpu',
      ...(family === 'transducer' && isNemo && !isStreaming && { modelType: 'nemo_transducer' }),
    },
    decodingMethod: takesPrompts && !isStreaming ? 'modified_beam_search' : 'greedy_search',
  }
  return { path, changedAtMs, model, family, config, files: paths.map(([, file]) => file) }
}

/** Loads the model once. A damaged one would otherwise fail only when a person speaks. */
async function openRecogniserModel(
  found: FoundRecogniser,
  { packagePath, freeMemory: readFree = freeMemory, warn }: SherpaRecogniserOptions,
): Promise<OpenRecogniser | undefined> {
  const { model, config, files } = found
  const name = `The recogniser ${model.modelId}`
  try {
    let memoryBytes = await estimateMemory(files)
    const program = new RecogniserProcess<SherpaRecogniserInfo, SherpaStart>({
      name,
      programPath: programPath('sherpa-recogniser-program'),
      readArguments() {
        requireMemory(name, memoryBytes, readFree())
        return [packagePath, JSON.stringify(config)]
      },
      slots: maxSlots,
      maxGrowthBytes,
      warn,
    })
    memoryBytes = (await program.readInfo()).memoryBytes
    return { ...found, model: { ...model, memoryBytes }, program }
  } catch (error) {
    warn(`${name} is skipped: ${(error as Error).message}`)
    return undefined
  }
}

/** @returns undefined if the model detects the language or knows only one. */
function toSherpaLanguage(family: Family, language: string | undefined): string | undefined {
  if (!language || /^auto$/i.test(language)) return undefined
  if (family === 'senseVoice') return languageOf(language)
  return family === 'whisper' ? toWhisperLanguage(languageOf(language)) : undefined
}
