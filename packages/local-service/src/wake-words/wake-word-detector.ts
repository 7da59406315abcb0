import type { OptionTable } from '../config/option.ts'
import type { PartDefinition } from '../part-registry/part-definition.ts'

/** Finds wake words in sound. Each detector has its own folder. */
export interface WakeWordDetector {
  readonly name: string
  /** The current models. They may change, for example with those of another server. */
  readonly models: readonly DetectorModel[]
  /**
   * Begins to listen to one microphone.
   * @throws {BusyError} if too many streams are open. {EngineError} `input` for phrases that the model cannot find; any
   * other kind if the detector fails. After an abort, the signal's reason.
   */
  open(request: WakeWordRequest): Promise<WakeWordStream>
  /** Offers models that were installed meanwhile, and no longer those that were removed. */
  refresh?(): Promise<void>
  /** Ends open streams and frees threads, processes and memory. */
  close(): Promise<void>
}

export interface DetectorModel {
  /** The name by which callers know it: the name of the detector, a slash, and what tells its models apart: `pocketsphinx/en-us`. */
  modelId: string
  displayName: string
  /** Language codes such as `EN_US`. Empty: many, or unknown. */
  langCodes: readonly string[]
  /** The only phrases that it finds, as people say them. Absent: any phrase in its languages. */
  phrases?: readonly string[]
  /** Whether it misses more wake words, and finds more that nobody said, than people accept in daily use. */
  isRough: boolean
}

export interface WakeWordRequest {
  modelId: string
  /** What to find, at least one. For a model with phrases of its own, some of these. */
  phrases: readonly string[]
  /**
   * 0…1: how similar a sound must be to the phrase. A higher value misses fewer wake words and finds more that nobody said. Each
   * detector maps it to its own threshold; 0.5 is the value for which it was measured.
   */
  sensitivity: number
  /** Ends the stream. */
  signal: AbortSignal
}

/** What a detector in a process of its own searches for. */
export type PhraseSearch = Pick<WakeWordRequest, 'phrases' | 'sensitivity'>

/** One microphone. The calls must follow one another. */
export interface WakeWordStream {
  /**
   * Takes mono samples of 16 kHz, in pieces of any length.
   * @returns what was found since the last call; usually nothing.
   * @throws {EngineError} if the detector has failed. After an abort, the signal's reason.
   */
  push(samples: Int16Array): Promise<readonly WakeWordDetection[]>
  /** Ends the sound. @returns what is found at its end. @throws as `push`. */
  end(): Promise<readonly WakeWordDetection[]>
  /** Frees what the stream holds. Must be called after success and after failure. */
  close(): void
}

export interface WakeWordDetection {
  /** One of the request. */
  phrase: string
  /** 0…1: how similar the sound was. Absent if the detector does not report it. */
  score?: number
  /** Where the phrase ends, from the first sample of the stream. */
  endMs: number
}

/** The sample rate that every detector takes. */
export const wakeWordRateHertz = 16_000

/** A detector as the registry lists it. */
export type WakeWordDefinition<Options extends OptionTable = OptionTable> = PartDefinition<
  WakeWordDetector,
  Options
>

/** Infers the types of the options. */
export function defineWakeWordDetector<const Options extends OptionTable>(
  definition: WakeWordDefinition<Options>,
): WakeWordDefinition<Options> {
  return definition
}
