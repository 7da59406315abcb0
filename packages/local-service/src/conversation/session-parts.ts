import type { Conversation } from './conversation.ts'
import type { LanguageModel } from './language-model.ts'
import type { Player } from './player.ts'
import type { Emit } from './response-output.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionSettings } from './session-settings.ts'

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
