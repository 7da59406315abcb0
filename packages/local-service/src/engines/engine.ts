import type { Voice } from '@parlando/core/wire'
import type { PhraseLimits } from '../text/phrases.ts'

/** Something that turns text into sound. Every engine lives in a folder of its own. */
export interface Engine {
  readonly name: string
  /** Rate of the samples it makes. */
  readonly sampleRateHertz: number
  /** Those of this moment: an engine that has its voices from elsewhere may have others later. */
  readonly voices: readonly EngineVoice[]
  /** How many phrases it speaks at a time without each being slower than alone. */
  readonly slots: number
  /** How long its phrases are, whatever the model says; absent: the model's limits hold. */
  readonly phraseLimits?: PhraseLimits
  /** Whether it tells the times of the words when it is asked to. */
  readonly timesWords: boolean
  /** Threads or processes it speaks with; absent when it has none of its own. */
  readonly threads?: {
    readonly alive: number
    /** How many had to be replaced since the start. */
    readonly replaced: number
  }
  /** @returns why the voice cannot speak the text, as a sentence for the caller; `undefined` when it can. */
  unsupportedReason(text: string, voice: string): string | undefined
  /**
   * Speaks one phrase of a few words and resolves when all of it was handed to `onSound`.
   * @throws {EngineError} when the engine fails; it is ready for the next phrase all the same. The signal's reason after
   * an abort. Nothing else.
   */
  speakPhrase(request: PhraseRequest): Promise<void>
  /** Ends what runs and frees threads and memory. */
  close(): Promise<void>
}

export interface EngineVoice {
  /** The engine's own name of the voice. */
  name: string
  /** The language it speaks, of the form `EN_US`; `AUTO` where that is not known. */
  langCode: string
  /** How callers see it, where it is a voice in its own right beside those of the library. */
  voice?: Voice
}

export interface PhraseRequest {
  /** The engine's own name of the voice. */
  voice: string
  text: string
  /** The model that the caller chose, for engines that have more than one. */
  modelId: string
  /** Whether the times of the words are wanted, which may cost the engine some time. */
  withWords: boolean
  signal: AbortSignal
  /** Called once or several times, in order, as soon as there is sound. */
  onSound(sound: Sound): void
}

/** A piece of speech. */
export interface Sound {
  /** Mono, −1…1. A phrase comes with the silence that the voice puts around it. */
  samples: Float32Array
  /** When asked for and known: words that are spoken in or near this piece, as they are written in the text. */
  words?: readonly SpokenWord[]
}

/** When a word is spoken, in seconds from the start of what it belongs to. */
export interface SpokenWord {
  text: string
  startSeconds: number
  endSeconds: number
}
