import type { Pronunciations } from '@parlando/core/text'
import type { LanguageModel } from '../chat/language-model.ts'
import type { ConversationItems } from './conversation-items.ts'
import type { Emit } from './server-events.ts'
import type { SessionPlayer } from './session-connection.ts'
import type { SessionServices } from './session-services.ts'
import type { SessionSettings } from './session-settings.ts'

/** What the parts of a session share. */
export interface SessionParts extends SessionServices {
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
