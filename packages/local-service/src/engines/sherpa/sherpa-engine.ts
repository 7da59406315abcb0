import { createResampler } from '../../dsp/resampler.ts'
import { findPackage } from '../../find-package.ts'
import { programPath } from '../../program-path.ts'
import { sherpaModelsOption } from '../../sherpa-models/option.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import { createSpeaker, type Speaker } from '../process/supervisor.ts'
import { silentTextReason } from '../silent-text.ts'
import { type Model, readModels } from './read-models.ts'
import type { SherpaInfo, SherpaPhrase } from './sherpa-program.ts'
import { type SherpaVoice, toVoices } from './sherpa-voices.ts'

export interface SherpaEngineOptions {
  /** Each of its subfolders is a model. */
  folder: string
  /** The main file of `sherpa-onnx-node`; `undefined` if it is not installed. */
  packagePath: string | undefined
  /** Receives the models that are skipped or fail, with the reason. */
  warn(message: string): void
}

/** A model with its process, which runs from the first phrase on. */
interface OpenModel {
  voices: SherpaVoice[]
  speaker: Speaker<SherpaInfo, SherpaPhrase>
  sampleRateHertz: number
}

const sampleRateHertz = 24_000
const phraseLimitMs = 60_000
const maxGrowthBytes = 1024 * 1024 * 1024

/** An optional engine: its voices are offered when a folder of models is given and its package is installed. */
export const sherpa = defineEngine({
  name: 'sherpa',
  options: { sherpaModels: sherpaModelsOption },
  start({ options: { sherpaModels: folder }, enginesFolder, dataFolder, warn }) {
    if (!folder) return undefined
    const packagePath = findPackage('sherpa-onnx-node', [enginesFolder, dataFolder])
    return createSherpaEngine({ folder, packagePath, warn })
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
  const { folder, packagePath, warn } = options
  if (!packagePath) {
    warn(
      `The models in ${folder} are not used because sherpa-onnx-node is not installed: run npm install sherpa-onnx-node in Node-RED's user folder, or in a folder that you name with --engines-folder`,
    )
    return undefined
  }
  const models = await readModels(folder, warn).catch((error: Error) => {
    warn(`The folder with models cannot be read: ${error.message}`)
    return []
  })
  const opening = models.map((model) => openModel(model, packagePath, warn))
  const opened = (await Promise.all(opening)).flatMap((model) => model ?? [])
  const voices = new Map<string, { voice: SherpaVoice; model: OpenModel }>()
  for (const model of opened) {
    for (const voice of model.voices) voices.set(voice.name, { voice, model })
  }
  if (voices.size === 0) return undefined

  return {
    name: 'sherpa',
    sampleRateHertz,
    voices: [...voices.values()].map(({ voice: { name, langCode, voice } }) => {
      return { name, langCode, voice }
    }),
    // One phrase already uses several cores.
    slots: 1,
    timesWords: false,
    unsupportedReason: silentTextReason,
    async speakPhrase({ voice: name, text, signal, onSound }: PhraseRequest) {
      const { voice, model } = voices.get(name)!
      const resampler = await createResampler({
        inputRateHertz: model.sampleRateHertz,
        outputRateHertz: sampleRateHertz,
      })
      try {
        await model.speaker.speak({ text, ...voice.selection }, signal, ({ samples }) => {
          onSound({ samples: resampler.push(samples) })
        })
        onSound({ samples: resampler.end() })
      } finally {
        resampler.close()
      }
    },
    async close() {
      await Promise.all(opened.map(({ speaker }) => speaker.close()))
    },
  }
}

/** Loads the model once, to count its speakers. Until a voice is used, it takes no memory. */
async function openModel(
  model: Model,
  packagePath: string,
  warn: (message: string) => void,
): Promise<OpenModel | undefined> {
  const speaker = createSpeaker<SherpaInfo, SherpaPhrase>({
    name: `The model ${model.name}`,
    programPath: programPath('sherpa-program'),
    programArguments: [packagePath, JSON.stringify(model.config)],
    ...{ phraseLimitMs, maxGrowthBytes, warn },
  })
  try {
    const { speakers, sampleRateHertz } = await speaker.readInfo()
    return { voices: toVoices(model, speakers), speaker, sampleRateHertz }
  } catch (error) {
    warn(`The model ${model.name} is skipped: ${(error as Error).message}`)
    return undefined
  }
}
