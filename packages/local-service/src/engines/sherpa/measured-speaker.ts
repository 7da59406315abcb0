import type { PhraseSound } from '../engine.ts'
import type { ModelLoudness } from '../model-loudness.ts'
import type { PhraseCost } from '../process/run-speaker.ts'
import type { SpeakerProcess, Trial } from '../process/speaker-process.ts'
import type { ModelCost } from './model-cost.ts'
import type { SherpaInfo, SherpaPhrase } from './sherpa-program.ts'

export interface MeasuredSpeakerOptions {
  process: SpeakerProcess<SherpaInfo, SherpaPhrase>
  cost: ModelCost
  loudness: ModelLoudness
  /** Spoken to measure a voice. */
  text: string
}

type OnSound = (sound: PhraseSound) => void

/** Digits, because a model of any language can speak them. */
const trialText = '1, 2, 3.'
/** A model that takes longer is too slow to speak, but the service still starts. */
const trialLimitMs = 20_000

/**
 * The process of a model, which is measured while it speaks: what its phrases take, and how loud its voices are. Each voice speaks
 * at the loudness of all voices; what imitates a recording is as loud as the recording.
 */
export class MeasuredSpeaker {
  readonly #options: MeasuredSpeakerOptions
  /** The voices that were asked to speak the text. */
  readonly #tried = new Set<string>()
  #sampleRateHertz = 0

  constructor(options: MeasuredSpeakerOptions) {
    this.#options = options
  }

  /**
   * Starts the process once, and measures the first voice, before anybody waits for it.
   * @param isCloning whether it has no voice of its own.
   * @throws {Error} if it does not start.
   */
  open(isCloning: boolean): Promise<SherpaInfo> {
    return this.#options.process.readInfo((trial) => this.#tryOut(trial, isCloning))
  }

  /**
   * Before the first phrase of a voice that is not measured, the voice speaks a text only for that. One that cannot speak this text
   * is measured with its first phrase.
   */
  async speak(phrase: SherpaPhrase, signal: AbortSignal, onSound: OnSound): Promise<void> {
    if (phrase.recording) return this.#speak(phrase, signal, onSound)
    const { loudness } = this.#options
    const voice = `${phrase.speaker ?? 0}`
    if (loudness.gainOf(voice) === undefined && !this.#tried.has(voice)) {
      await this.#measureLoudness(phrase, voice, signal)
    }
    const gain = loudness.gainOf(voice)
    const pieces: Float32Array[] = []
    await this.#speak(phrase, signal, ({ samples, ...sound }) => {
      if (gain === undefined) pieces.push(samples)
      onSound({ ...sound, samples: samples.map((sample) => sample * (gain ?? 1)) })
    })
    if (gain === undefined) await loudness.keep(voice, pieces, this.#sampleRateHertz)
  }

  async #tryOut(trial: Trial<SherpaInfo, SherpaPhrase>, isCloning: boolean): Promise<void> {
    const { cost, loudness, text } = this.#options
    this.#sampleRateHertz = trial.info.sampleRateHertz
    cost.memoryBytes = trial.info.memoryBytes
    const isMeasured = loudness.gainOf('0') !== undefined
    const phrase = { text: isMeasured ? trialText : text, language: 'en' }
    const pieces: Float32Array[] = []
    const limit = setTimeout(() => trial.end(), trialLimitMs)
    // A model with its own lexicon may not know these words, and one that imitates has no recording yet. The first phrase
    // measures them.
    await this.#measureCost(
      (onSound) => trial.speak(phrase, onSound),
      ({ samples }) => pieces.push(samples),
    ).catch(() => {})
    clearTimeout(limit)
    if (!isMeasured && !isCloning) await loudness.keep('0', pieces, this.#sampleRateHertz)
  }

  async #measureLoudness(phrase: SherpaPhrase, voice: string, signal: AbortSignal): Promise<void> {
    const { loudness, text } = this.#options
    this.#tried.add(voice)
    const pieces: Float32Array[] = []
    await this.#speak({ ...phrase, text }, signal, ({ samples }) => {
      pieces.push(samples)
    }).catch(() => {})
    signal.throwIfAborted()
    await loudness.keep(voice, pieces, this.#sampleRateHertz)
  }

  #speak(phrase: SherpaPhrase, signal: AbortSignal, onSound: OnSound): Promise<void> {
    const { process } = this.#options
    return this.#measureCost((onPart) => process.speak(phrase, signal, onPart), onSound)
  }

  async #measureCost(
    speak: (onSound: OnSound) => Promise<PhraseCost>,
    onSound: OnSound,
  ): Promise<void> {
    let samples = 0
    const phraseCost = await speak((sound) => {
      samples += sound.samples.length
      onSound(sound)
    })
    this.#options.cost.note(phraseCost, samples / this.#sampleRateHertz)
  }
}
