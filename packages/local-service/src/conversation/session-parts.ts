import type { SpeechDetector } from '../listening/turns/detectors.ts'
import type { FoundModel } from '../recognisers/registry.ts'
import type { Clock } from './clock.ts'
import type { Player } from './connection.ts'
import type { Conversation } from './conversation.ts'
import type { LanguageModel } from './language-model.ts'
import type { Speak } from './sentence-speech.ts'
import type { Emit } from './server-events.ts'
import type { OutputSettings, SessionSettings, Transcription } from './session-settings.ts'

/** What the parts of a session share. */
export interface SessionParts extends SessionContext {
  emit: Emit
  conversation: Conversation
  state: SessionState
  /** Default: the client plays the responses, and stops when the user speaks. */
  player?: Player
  /** Aborted when the session ends. */
  signal: AbortSignal
}

/** What `session.update` replaces. */
export interface SessionState {
  settings: SessionSettings
  model: LanguageModel
}

/** The parts of the service that a session needs. */
export interface SessionContext {
  /** @throws {ServiceError} if the model is unknown. */
  findModel(name: string): Promise<LanguageModel>
  /**
   * @param name of a voice, or of one of OpenAI's, which the default voice replaces. Default: the default voice.
   * @returns the id of a voice of this service.
   * @throws {ServiceError} if the voice is unknown.
   */
  findVoice(name: string | undefined): string
  /** @throws {ServiceError} if the service cannot speak with these settings. */
  createSpeak(output: OutputSettings): Speak
  /** @throws {ServiceError} if no recogniser is installed, or if the model or the language is unknown. */
  findRecogniser(transcription: Transcription | null): FoundModel
  /** Helps to find the turns of the user. */
  speechDetector?: SpeechDetector
  clock: Clock
  /** How long a language model may write one response, in milliseconds. */
  modelLimitMs: number
  /** Receives failures of the service. */
  onFailure(error: unknown): void
}
