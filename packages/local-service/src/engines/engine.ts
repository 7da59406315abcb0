import { hasSpeakable } from '@parlando/core/text'
import type { SpeechModelId, SpeechWarning, Voice } from '@parlando/core/wire'
import type { PhraseLimits } from '../text/phrases.ts'
import type { SpelledWord } from '../text/spell-out/word.ts'

/** Turns text into sound. Each engine has its own folder. */
export interface Engine {
  readonly name: string
  /** The rate of all samples. */
  readonly sampleRateHertz: number
  /** The current voices. They may change, for example with those of another service. */
  readonly voices: readonly EngineVoice[]
  /** Why its voices cannot speak, or are not known, at the moment. Absent if there is no problem. */
  readonly problem?: string | undefined
  /** How many phrases it can speak in parallel at full speed. */
  readonly slots: number
  /**
   * Whether it can leave a phrase for a more urgent one, and go on with it later: `free`, or `costly` if it has to make the phrase
   * again, so that only a phrase that has not begun interrupts it. Absent: it cannot.
   */
  readonly interruption?: 'free' | 'costly'
  /** Overrides the phrase limits of the model. Default: those of the model. */
  readonly phraseLimits?: PhraseLimits
  /** Overrides them for each model. */
  readonly phraseLimitsOfModel?: Readonly<Record<SpeechModelId, PhraseLimits>>
  /** Whether it can report the times of words. */
  readonly timesWords: boolean
  /** The threads of the engine, for `/healthz` and the metrics. Absent if it has none. */
  readonly threads?: {
    readonly alive: number
    /** How many were replaced since the start, because they crashed, hung or grew too large. */
    readonly replaced: number
  }
  /** Models with their own processes, for the metrics. Absent if it has none. */
  readonly models?: readonly EngineModel[]
  /**
   * Spells out a sentence before it is cut into phrases: numbers, units, abbreviations, and what the voice cannot say. Absent
   * if all voices get the text as it is written.
   * @param before the beginning of the sentence, if an earlier text contained it; empty otherwise.
   */
  spellOut?(sentence: string, voice: string, before: string): Iterable<SpelledWord>
  /**
   * Whether the text is spelled out for this voice. Absent if it is for every voice.
   * @param language the language of the request, such as `de-DE`.
   */
  spellsOut?(voice: string, language?: string): boolean
  /** @returns a sentence for the caller why the voice can speak nothing of the text, or `undefined` if it can. */
  unsupportedReason(text: string, voice: string): string | undefined
  /** @returns the characters of the text that the voice skips, although a reader would say them. Absent if it skips none. */
  skippedCharacters?(text: string, voice: string): readonly string[]
  /**
   * Speaks one phrase. Resolves after the last call of `onSound`.
   * @throws {EngineError} if the engine fails; it can speak the next phrase anyway. After an abort, the signal's reason.
   * No other errors.
   */
  speakPhrase(request: PhraseRequest): Promise<void>
  /**
   * Loads what a voice needs, so that its first phrase does not wait for that. Absent if no voice needs long.
   * @throws {EngineError} as `speakPhrase`, also if the memory is not enough.
   */
  load?(voice: string): Promise<void>
  /** Offers the voices of models that were installed meanwhile, and no longer those of removed ones. */
  refresh?(): Promise<void>
  /** Stops running phrases and frees threads, processes and memory. */
  close(): Promise<void>
}

export interface EngineVoice {
  /** The engine's own name for the voice. */
  name: string
  /** A language code such as `EN_US`; `AUTO` if the language is unknown. */
  langCode: string
  /** All languages that it speaks, such as `de`. Absent if it speaks only that of `langCode`, or if they are unknown. */
  languages?: readonly string[]
  /** Overrides the phrase limits of the engine. */
  phraseLimits?: PhraseLimits
  /** Present if it speaks like the recording of the phrase, instead of with a sound of its own. */
  imitates?: {
    /** Whether it needs the words of the recording. */
    needsText: boolean
  }
  /** The voice as callers see it. Absent if it is only offered through the voices of the library, or through clones. */
  voice?: Voice
}

/** A model, as it was measured on this machine. */
export interface EngineModel {
  name: string
  /** Whether it is in memory now. */
  isLoaded: boolean
  /** The memory of its process when it was last measured. */
  memoryBytes: number
  /** The time that it takes for a second of speech, in seconds. Absent until it has spoken. */
  realTimeFactor?: number
}

export interface PhraseRequest {
  /** The engine's own name for the voice. */
  voice: string
  text: string
  /** The words of a text that was spelled out, for their times. Absent if the text is as written. */
  words?: readonly SpelledWord[] | undefined
  /** The model of the request, for engines with several models. */
  modelId: string
  /** The language of the request, for voices with several languages, such as `de-DE`. Absent: not known. */
  language?: string
  /** The recording that the voice imitates. Absent if it imitates none. */
  recording?: ImitatedRecording
  /** Whether to report the times of words, which may take longer. */
  withWords: boolean
  signal: AbortSignal
  /**
   * How urgent it is among the phrases that an engine with `interruption` has: the lowest number comes first. It changes while they
   * are spoken. Default: 0.
   */
  rank?(): number
  /** Receives the sound in order, in one or more pieces, as soon as each is ready. */
  onSound(sound: PhraseSound): void
  /** Receives what another service says about the text, before the sound. */
  onWarnings?(warnings: readonly SpeechWarning[]): void
}

/** A recording of a person. */
export interface ImitatedRecording {
  wavPath: string
  /** The transcript, if known. */
  text?: string
}

/** A piece of speech. */
export interface PhraseSound {
  /** Mono, −1…1. Silence around the phrase is included. */
  samples: Float32Array
  /** The words that are spoken in or near this piece, as spelled in the text. Absent if not requested or unknown. */
  words?: readonly SpokenWord[]
}

/** A word with its times, in seconds from the start of the phrase, or of the utterance once phrases are joined. */
export interface SpokenWord {
  text: string
  startSeconds: number
  endSeconds: number
  /** The sounds of the word, in order. Absent if the engine does not report them. */
  phones?: readonly SpokenPhone[]
}

/** One sound of a word. Its times count from the same start as those of the word. */
export interface SpokenPhone {
  /** IPA. */
  symbol: string
  /** The shape of the mouth, by the names of the protocol. */
  viseme?: string
  startSeconds: number
  endSeconds: number
}

/** @returns the word with every time, including those of its phones, replaced by `change(seconds)`. */
export function mapTimes(word: SpokenWord, change: (seconds: number) => number): SpokenWord {
  const times = ({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }) => ({
    startSeconds: change(startSeconds),
    endSeconds: change(endSeconds),
  })
  const mapped = { ...word, ...times(word) }
  if (word.phones) mapped.phones = word.phones.map((phone) => ({ ...phone, ...times(phone) }))
  return mapped
}

/** @returns why no voice can speak a text without letters and digits, or `undefined` if the text has one. */
export function silentTextReason(text: string): string | undefined {
  return hasSpeakable(text)
    ? undefined
    : 'There is nothing to speak: the text contains no letter and no digit'
}
