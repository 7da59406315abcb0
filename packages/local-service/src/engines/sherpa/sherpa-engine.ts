import { createResampler } from '../../dsp/resampler.ts'
import { findModelsFolders } from '../../sherpa-models/find-folders.ts'
import { type FoundSherpa, findSherpa } from '../../sherpa-models/find-sherpa.ts'
import { sherpaModelsOption } from '../../sherpa-models/option.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine, EngineVoice } from '../engine.ts'
import { silentTextReason } from '../silent-text.ts'
import { freeMemory, memoryError } from './model-memory.ts'
import { type OpenModel, openModel } from './open-model.ts'
import { readModels } from './read-models.ts'
import { type SherpaVoice, toVoices } from './sherpa-voices.ts'
import { supertonicLanguage, supertonicUnsupportedReason } from './supertonic.ts'

export interface SherpaEngineOptions {
  /** Each of their subfolders is a model. */
  folders: readonly string[]
  package: FoundSherpa
  /** The memory that a model can take. Default: that of this machine. */
  freeMemory?(): number
  /** Receives the models that are skipped or fail, with the reason. */
  warn(message: string): void
}

const sampleRateHertz = 24_000

/** An optional engine: its voices are offered when there is a folder with models and its package is installed. */
export const sherpa = defineEngine({
  name: 'sherpa',
  options: { sherpaModels: sherpaModelsOption },
  async start({ options: { sherpaModels }, enginesFolder, dataFolder, warn }) {
    const folders = await findModelsFolders(sherpaModels, dataFolder)
    if (folders.length === 0) return undefined
    return createSherpaEngine({ folders, package: findSherpa([enginesFolder, dataFolder]), warn })
  },
})

/**
 * Neural voices of sherpa-onnx, with models that the user provides. Each model runs in its own process, so a damaged
 * model can only crash that process.
 * @returns `undefined` if no model can be used; `warn` receives the reasons.
 */
export async function createSherpaEngine(
  options: SherpaEngineOptions,
): Promise<Engine | undefined> {
  const models = await openModels(options)
  const voices = new Map<string, { voice: SherpaVoice; model: OpenModel }>()
  for (const model of models) {
    for (const voice of toVoices(model)) voices.set(voice.name, { voice, model })
  }
  if (voices.size === 0) return undefined

  return {
    name: 'sherpa',
    sampleRateHertz,
    get voices() {
      return [...voices.values()].map(({ voice, model }) => withMeasurement(voice, model))
    },
    // One phrase already uses several cores.
    slots: 1,
    timesWords: false,
    get models() {
      return models.map(({ measured }) => measured)
    },
    unsupportedReason(text, name) {
      const isSupertonic = voices.get(name)?.model.family === 'supertonic'
      return (
        silentTextReason(text) ?? (isSupertonic ? supertonicUnsupportedReason(text) : undefined)
      )
    },
    async speakPhrase({ voice: name, text, language, recording, signal, onSound }) {
      const { voice, model } = voices.get(name)!
      const spokenLanguage = supertonicLanguage(text, language, model.langCode)
      const phrase = { text, recording, ...voice.selection, language: spokenLanguage }
      const resampler = await createResampler({
        inputRateHertz: model.sampleRateHertz,
        outputRateHertz: sampleRateHertz,
      })
      try {
        await model.speak(phrase, signal, ({ samples }) => {
          onSound({ samples: resampler.push(samples) })
        })
        onSound({ samples: resampler.end() })
      } finally {
        resampler.close()
      }
    },
    async close() {
      await Promise.all(models.map((model) => model.close()))
    },
  }
}

/** One after the other, because a model can take a gigabyte of memory while it loads. */
async function openModels(options: SherpaEngineOptions): Promise<OpenModel[]> {
  const { folders, warn } = options
  const { packagePath, problem } = options.package
  if (!packagePath) {
    warn(`The models in ${folders.join(' and ')} are not used: ${problem}`)
    return []
  }
  const reading = folders.map((folder) =>
    readModels(folder, warn).catch((error: Error) => {
      warn(`The folder with models cannot be read: ${error.message}`)
      return []
    }),
  )
  const found = (await Promise.all(reading)).flat()
  const opened: OpenModel[] = []
  for (const model of found) {
    const beforeLoad = (neededBytes: number) =>
      makeRoom(neededBytes, opened, `The model ${model.name}`, options.freeMemory)
    try {
      opened.push(await openModel(model, { packagePath, beforeLoad, warn }))
    } catch (error) {
      warn(`The model ${model.name} is skipped: ${(error as Error).message}`)
    }
  }
  return opened
}

/**
 * Unloads the other models if the memory is not enough. None of them is speaking, because the engine speaks one phrase at a
 * time.
 * @throws {EngineError} if it is not enough even then.
 */
async function makeRoom(
  neededBytes: number,
  models: readonly OpenModel[],
  name: string,
  readFree = freeMemory,
): Promise<void> {
  if (readFree() >= neededBytes) return
  const loaded = models.filter(({ measured }) => measured.isLoaded)
  await Promise.all(loaded.map((model) => model.unload()))
  const freeBytes = readFree()
  if (freeBytes < neededBytes) throw memoryError(name, neededBytes, freeBytes)
}

/** @returns the voice with what its model takes on this machine. */
function withMeasurement(
  { selection: _, ...voice }: SherpaVoice,
  { measured: { memoryBytes, realTimeFactor } }: OpenModel,
): EngineVoice {
  return voice.voice ? { ...voice, voice: { ...voice.voice, memoryBytes, realTimeFactor } } : voice
}
