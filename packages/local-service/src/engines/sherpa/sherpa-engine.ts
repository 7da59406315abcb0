import { createResampler } from '../../dsp/resampler.ts'
import { programPath } from '../../program-path.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import { openSpeaker, type Speaker } from '../process/supervisor.ts'
import { silentTextReason } from '../silent-text.ts'
import { type Model, readModels } from './read-models.ts'
import type { SherpaInfo, SherpaPhrase } from './sherpa-program.ts'
import { type SherpaVoice, toVoices } from './sherpa-voices.ts'

export interface SherpaEngineOptions {
  /** Every folder in it is a model. */
  folder: string
  /** The main file of `sherpa-onnx-node`, where the user installed it. */
  packagePath: string | undefined
  /** Hears what is left out and why, and when a model failed. */
  warn(message: string): void
}

type SherpaSpeaker = Speaker<SherpaInfo, SherpaPhrase>

const sampleRateHertz = 24_000
const phraseLimitMs = 60_000
const maxGrowthBytes = 1024 * 1024 * 1024

/**
 * Neural voices by sherpa-onnx, with models that the user has. Each model has a process of its own: one that is damaged
 * ends its process, and nothing else.
 * @returns `undefined` when no model can be used; `warn` hears why.
 */
export async function createSherpaEngine(
  options: SherpaEngineOptions,
): Promise<Engine | undefined> {
  const { folder, packagePath, warn } = options
  if (!packagePath) {
    warn(
      `The models in ${folder} are not used: run npm install sherpa-onnx-node where the service is`,
    )
    return undefined
  }
  const models = await readModels(folder, warn).catch((error: Error) => {
    warn(`The folder of models cannot be read: ${error.message}`)
    return []
  })
  const opened = await Promise.all(models.map((model) => openModel(model, packagePath, warn)))
  const speakers = new Map<SherpaVoice, SherpaSpeaker>()
  for (const { voices, speaker } of opened.flatMap((model) => model ?? [])) {
    for (const voice of voices) speakers.set(voice, speaker)
  }
  if (speakers.size === 0) return undefined
  const voices = new Map([...speakers.keys()].map((voice) => [voice.name, voice]))

  return {
    name: 'sherpa',
    sampleRateHertz,
    voices: [...voices.values()].map(({ name, langCode, voice }) => ({ name, langCode, voice })),
    // One phrase takes several cores.
    slots: 1,
    timesWords: false,
    unsupportedReason: silentTextReason,
    async speakPhrase({ voice: name, text, signal, onSound }: PhraseRequest) {
      const voice = voices.get(name)!
      const speaker = speakers.get(voice)!
      const inputRateHertz = speaker.info.sampleRateHertz
      const resampler = await createResampler({ inputRateHertz, outputRateHertz: sampleRateHertz })
      try {
        await speaker.speak({ text, ...voice.manner }, signal, ({ samples }) => {
          onSound({ samples: resampler.push(samples) })
        })
        onSound({ samples: resampler.end() })
      } finally {
        resampler.close()
      }
    },
    async close() {
      await Promise.all([...new Set(speakers.values())].map((speaker) => speaker.close()))
    },
  }
}

async function openModel(
  model: Model,
  packagePath: string,
  warn: (message: string) => void,
): Promise<{ voices: SherpaVoice[]; speaker: SherpaSpeaker } | undefined> {
  try {
    const speaker = await openSpeaker<SherpaInfo, SherpaPhrase>({
      name: `The model ${model.name}`,
      programPath: programPath('sherpa-program'),
      programArguments: () => [packagePath, JSON.stringify(model.config)],
      ...{ phraseLimitMs, maxGrowthBytes, warn },
    })
    return { voices: toVoices(model, speaker.info.speakers), speaker }
  } catch (error) {
    warn(`The model ${model.name} is left out: ${(error as Error).message}`)
    return undefined
  }
}
