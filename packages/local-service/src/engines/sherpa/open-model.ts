import { estimateMemory } from '../../machine/resources.ts'
import { programPath } from '../../processes/program.ts'
import type { EngineModel, PhraseSound } from '../engine.ts'
import { measuringText } from '../model-loudness.ts'
import { SpeakerProcess } from '../process/speaker-process.ts'
import { openFolderLoudness } from './folder-loudness.ts'
import { MeasuredSpeaker } from './measured-speaker.ts'
import { ModelCost } from './model-cost.ts'
import type { Model } from './read-models.ts'
import type { SherpaInfo, SherpaPhrase } from './sherpa-program.ts'

/** A model in its own process, which runs from `load` or the first phrase on. */
export interface OpenModel extends Model {
  speakers: number
  sampleRateHertz: number
  /** What it takes, as last measured. */
  readonly measured: EngineModel
  /** Speaks at the loudness of all voices, unless the phrase has a recording: its loudness is that of the recording. */
  speak(
    phrase: SherpaPhrase,
    signal: AbortSignal,
    onSound: (sound: PhraseSound) => void,
  ): Promise<void>
  /** Starts its process, unless it runs. */
  load(): Promise<void>
  /** Frees its memory until the next phrase. */
  unload(): Promise<void>
  close(): Promise<void>
}

export interface OpenModelOptions {
  packagePath: string
  /** Called before the model is loaded. @throws {EngineError} if it must not be loaded now. */
  beforeLoad(neededBytes: number): Promise<void>
  warn(message: string): void
}

const phraseLimitMs = 60_000
const maxGrowthBytes = 1024 * 1024 * 1024

/**
 * Loads the model once, to count its speakers and to measure it. Until a voice is used, it takes no memory.
 * @throws {Error} if the model cannot be used.
 */
export async function openModel(model: Model, options: OpenModelOptions): Promise<OpenModel> {
  const cost = new ModelCost(await estimateMemory(modelPaths(model)))
  const loudness = await openFolderLoudness(model)
  const process = new SpeakerProcess<SherpaInfo, SherpaPhrase>({
    name: `The model ${model.name}`,
    programPath: programPath('sherpa-program'),
    async readArguments() {
      await options.beforeLoad(cost.memoryBytes)
      return [options.packagePath, JSON.stringify(model.config)]
    },
    phraseLimitMs,
    maxGrowthBytes,
    warn: options.warn,
  })
  const text = measuringText(model.langCode)
  const speaker = new MeasuredSpeaker({ process, cost, loudness, text })
  const { speakers, sampleRateHertz } = await speaker.open(model.isCloning)
  return {
    ...model,
    speakers,
    sampleRateHertz,
    get changedAtMs() {
      return loudness.changedAtMs
    },
    get measured() {
      const { memoryBytes, realTimeFactor } = cost
      return { name: model.name, isLoaded: process.isAlive, memoryBytes, realTimeFactor }
    },
    speak: (phrase, signal, onSound) => speaker.speak(phrase, signal, onSound),
    load: () => process.load(),
    unload: () => process.unload(),
    close: () => process.close(),
  }
}

function modelPaths({ config, family }: Model): string[] {
  return Object.values(config.model[family] ?? {}).flatMap((paths) => paths.split(','))
}
