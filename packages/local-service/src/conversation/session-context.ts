import type { Pronunciations } from '@parlando/core/text'
import type { TurnModels } from '../listening/turns/turn-detector.ts'
import type { FoundModel } from '../recognisers/recogniser-registry.ts'
import type { Clock } from './clock.ts'
import type { ConversationItems } from './conversation-items.ts'
import type { LanguageModel } from './language-models/language-model.ts'
import type { Speak } from './response/respond-in-speech.ts'
import type { Emit } from './server-events.ts'
import type { SessionPlayer } from './session-connection.ts'
import type { InputTranscription, SessionSettings, SpeechOutput } from './session-settings.ts'

/** What the parts of a session share. */
export interface SessionParts extends SessionContext {
  emit: Emit
  conversation: ConversationItems
  state: SessionState
  /** Default: the client plays the responses, and stops when the user speaks. */
  player?: SessionPlayer
  /** Aborted when the session ends. */
  signal: AbortSignal
}

/** What `session.update` replaces. */
export interface SessionState {
  settings: SessionSettings
  model: LanguageModel
  /** The voice that the client has chosen. Default: that of the language. */
  chosenVoice?: string
  pronunciations: Pronunciations
}

/** What a session needs of the service. `createSessionContext` connects it. */
export interface SessionContext extends TurnModels {
  /** @throws {ServiceError} if the model is unknown. */
  findLanguageModel(name: string): Promise<LanguageModel>
  /**
   * @param name of a voice, or of one of OpenAI's, which the default voice replaces. Default: the default voice.
   * @param language of the user, which decides the default voice unless the service has one for all languages.
   * @returns the id of a voice of this service.
   * @throws {ServiceError} if the voice is unknown.
   */
  findVoice(name: string | undefined, language?: string): string
  /** @returns this voice if it may speak the language, or else one that does; undefined if there is none. */
  findVoiceFor(language: string, voice: string): string | undefined
  /** @throws {ServiceError} if the service cannot speak with these settings. */
  createSpeak(output: SpeechOutput): Speak
  /** Texts need no recogniser and no language. @throws {ServiceError} if there are recognisers, but not this one. */
  rejectUnknownRecogniser(modelId: string | undefined): void
  /** @throws {ServiceError} if no recogniser is installed, or if the model or the language is unknown. */
  findRecogniser(transcription: InputTranscription | null): FoundModel
  clock: Clock
  /** How long a language model may write one response, in milliseconds. */
  modelLimitMs: number
  /** Receives failures of the service. */
  onFailure(error: unknown): void
}
