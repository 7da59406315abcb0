import { estimateMemory } from '../../machine/resources.ts'
import { changedAtMs as readChangedAtMs } from '../../models/sherpa/model-folders.ts'
import { programPath } from '../../processes/program.ts'
import type { EngineModel, PhraseSound } from '../engine.ts'
import { type ModelLoudness, measuringText, openLoudness } from '../model-loudness.ts'
import type { PhraseCost } from '../process/run-speaker.ts'
import { SpeakerProcess, type Trial } from '../process/speaker-process.ts'
import { levelVoices } from './level-voices.ts'
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
/** Digits, because a model of any language can speak them. */
const trialText = '1, 2, 3.'
/** A model that takes longer is too slow to speak, but the service still starts. */
const trialLimitMs = 20_000
/** Shorter sounds say little about the speed. */
const minMeasuredSeconds = 0.5
/** How much a phrase counts against all earlier ones. */
const weightOfPhrase = 0.3

/**
 * Loads the model once, to count its speakers and to measure it. Until a voice is used, it takes no memory.
 * @throws {Error} if the model cannot be used.
 */
export async function openModel(model: Model, options: OpenModelOptions): Promise<OpenModel> {
  const cost = createCost(await estimateMemory(modelPaths(model)))
  const loudness = await openLoudnessIn(model)
  const text = measuringText(model.langCode)
  const speaker = new SpeakerProcess<SherpaInfo, SherpaPhrase>({
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

  const tryOut = async (program: Trial<SherpaInfo, SherpaPhrase>) => {
    const { sampleRateHertz } = program.info
    cost.memoryBytes = program.info.memoryBytes
    const isMeasured = loudness.gainOf('0') !== undefined
    const trial = { text: isMeasured ? trialText : text, language: 'en' }
    const pieces: Float32Array[] = []
    const speak: Speak = (onSound) => program.speak(trial, onSound)
    const limit = setTimeout(() => program.end(), trialLimitMs)
    // A model with its own lexicon may not know these words, and one that imitates has no recording yet. The first phrase
    // measures them.
    const onSound = ({ samples }: PhraseSound) => void pieces.push(samples)
    await cost.measure(speak, sampleRateHertz, onSound).catch(() => {})
    clearTimeout(limit)
    if (!isMeasured && !model.isCloning) await loudness.keep('0', pieces, sampleRateHertz)
  }
  const { speakers, sampleRateHertz } = await speaker.readInfo(tryOut)
  const speak = levelVoices(
    (phrase, signal, onSound) =>
      cost.measure((onPart) => speaker.speak(phrase, signal, onPart), sampleRateHertz, onSound),
    { sampleRateHertz, loudness, text },
  )
  return {
    ...model,
    speakers,
    sampleRateHertz,
    get changedAtMs() {
      return loudness.changedAtMs
    },
    get measured() {
      const { memoryBytes, realTimeFactor } = cost
      return { name: model.name, isLoaded: speaker.isAlive, memoryBytes, realTimeFactor }
    },
    speak,
    load: () => speaker.load(),
    unload: () => speaker.unload(),
    close: () => speaker.close(),
  }
}

/** Its file changes the time of the folder, which is still that of the same model. */
async function openLoudnessIn({ path, ...model }: Model) {
  const loudness = await openLoudness(path)
  let { changedAtMs } = model
  return {
    gainOf: loudness.gainOf,
    get changedAtMs() {
      return changedAtMs
    },
    async keep(...measured: Parameters<ModelLoudness['keep']>) {
      // Unless another model has replaced it meanwhile.
      const isSame = (await readChangedAtMs(path)) === changedAtMs
      await loudness.keep(...measured)
      if (isSame) changedAtMs = await readChangedAtMs(path)
    },
  }
}

type Speak = (onSound: (sound: PhraseSound) => void) => Promise<PhraseCost>

/** What a model takes, as measured by its phrases. @param memoryBytes an estimate. */
function createCost(memoryBytes: number) {
  const cost = {
    memoryBytes,
    /** The time of the work for a second of sound. Recent phrases count most. */
    realTimeFactor: undefined as number | undefined,
    async measure(
      speak: Speak,
      sampleRateHertz: number,
      onSound: (sound: PhraseSound) => void,
    ): Promise<void> {
      let samples = 0
      const phrase = await speak((sound) => {
        samples += sound.samples.length
        onSound(sound)
      })
      cost.memoryBytes = phrase.memoryBytes
      const soundSeconds = samples / sampleRateHertz
      if (soundSeconds < minMeasuredSeconds) return
      const factor = phrase.workSeconds / soundSeconds
      const former = cost.realTimeFactor ?? factor
      cost.realTimeFactor = former + weightOfPhrase * (factor - former)
    },
  }
  return cost
}

function modelPaths({ config, family }: Model): string[] {
  return Object.values(config.model[family] ?? {}).flatMap((paths) => paths.split(','))
}
