import type { SentenceMatch } from '@parlando/core/wire'
import type { OptionTable } from '../config/option.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { PartDefinition } from '../part-registry/part-definition.ts'

/** Turns speech into text. Each recogniser has its own folder. */
export interface Recogniser {
  readonly name: string
  /** The current models. They may change, for example with those of another service. */
  readonly models: readonly RecogniserModel[]
  /**
   * Starts an utterance: one turn of a speaker, at most `maxUtteranceSeconds` long. Waits for a free slot.
   * @throws {BusyError} if too many utterances wait. {EngineError} if the recogniser fails; it can recognise the next
   * utterance anyway. After an abort, the signal's reason.
   */
  open(request: RecognitionRequest): Promise<Recognition>
  /** Offers models that were installed meanwhile, and no longer those that were removed. */
  refresh?(): Promise<void>
  /** Ends running utterances and frees threads, processes and memory. */
  close(): Promise<void>
}

export interface RecogniserModel {
  /** The name by which callers know it: `pocketsphinx/en-us`, `sherpa/<folder>`, `wyoming/<program>`, `upstream/<model>`. */
  modelId: string
  displayName: string
  /** Language codes such as `EN_US`. Empty: many, or unknown. */
  langCodes: readonly string[]
  hasInterimResults: boolean
  /** Whether it can report the times of words. */
  timesWords: boolean
  /** Whether a grammar can restrict it to a list of sentences. */
  matchesSentences: boolean
  /** How much silence it needs after the last word to report that word. Default: 660 ms, for any streaming model. */
  finalSilenceMs?: number
  /** The memory of its process when the model is loaded. Absent if it has no process, or is not measured. */
  memoryBytes?: number
}

export interface RecognitionRequest {
  modelId: string
  /** A code such as `en-US`. Default: that of the model, or the recogniser detects it. */
  language?: string
  /** Expected words and names. A recogniser may ignore them. */
  prompts?: readonly string[]
  /** Whether to report the times of words, which may take longer. */
  withWords: boolean
  /** Somebody waits for a response, so an early result is better than a slightly more accurate one. Default: false. */
  isUrgent?: boolean
  /** The sentences that may be said. Default: any. A model that does not match sentences ignores them. */
  sentences?: readonly string[]
  signal: AbortSignal
  /** Receives the text so far; each call replaces the one before. Called only if the model has interim results. */
  onInterim?(text: string): void
}

/** An utterance in progress. An abort of the request's signal ends it and releases its slot. */
export interface Recognition {
  /**
   * Takes mono samples of 16 kHz. Resolves when the recogniser wants more.
   * @throws {EngineError} if the recogniser has failed. After an abort, the signal's reason.
   */
  write(samples: Int16Array): Promise<void>
  /**
   * Ends the utterance and releases its slot.
   * @throws {EngineError} as `write`.
   */
  end(): Promise<RecognisedUtterance>
}

export interface RecognisedUtterance {
  /** Empty if the recogniser found no words. */
  text: string
  /** 0…1. Absent if the recogniser does not report it. */
  confidence?: number
  /** The language that was spoken, such as `de`. Absent if the recogniser does not report it. */
  language?: string
  /** The words with times from the start of the utterance. Absent if they were not requested, or are unknown. */
  words?: readonly RecognisedWord[]
  /** Present if the request has sentences and the model matches them. */
  sentenceMatch?: SentenceMatch
}

export interface RecognisedWord {
  text: string
  startSeconds: number
  endSeconds: number
  confidence?: number
}

/** The samples that every recogniser takes. */
export const recogniserRateHertz = 16_000
/** The turn detector ends longer turns. */
export const maxUtteranceSeconds = 30
/** Twice the longest turn, because a turn may end late and includes the sound shortly before it. */
const maxUtteranceSamples = 2 * maxUtteranceSeconds * recogniserRateHertz

/** @throws {EngineError} if an utterance has too many samples. */
export function limitUtterance(samples: number): void {
  if (samples <= maxUtteranceSamples) return
  const seconds = maxUtteranceSamples / recogniserRateHertz
  throw new EngineError('input', `An utterance cannot be longer than ${seconds} s`)
}

/** A recogniser as the registry lists it. */
export type RecogniserDefinition<Options extends OptionTable = OptionTable> = PartDefinition<
  Recogniser,
  Options
>

/** Infers the types of the options. */
export function defineRecogniser<const Options extends OptionTable>(
  definition: RecogniserDefinition<Options>,
): RecogniserDefinition<Options> {
  return definition
}
