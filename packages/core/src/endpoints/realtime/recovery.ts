import { ParlandoError } from '../../errors.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { Conversation } from './conversation.ts'
import type { RealtimeEvent } from './realtime-event.ts'

/** Restores a conversation over a new connection, and reports that to the reader. */
export interface Recovery {
  /** Whether the connection is lost and not yet replaced. */
  readonly isReconnecting: boolean
  /** Takes an event of the service. */
  note(event: RealtimeServerEvent): void
  /** The messages that begin a connection. */
  greeting(): string[]
  /** The connection was lost. @returns whether to open another one. */
  onLost(error: unknown): boolean
  /** Another connection is open. */
  onReopened(): void
}

export interface RecoveryOptions {
  conversation: Conversation
  /** Whether to open another connection at all. */
  isWanted: boolean
  emit(event: RealtimeEvent): void
}

export function createRecovery({ conversation, isWanted, emit }: RecoveryOptions): Recovery {
  let isReconnecting = false
  let isResponseLost = false
  let restoredItems = 0
  /** Whether something was said over this connection. A connection that is lost sooner would be lost again. */
  let isUsed = false

  return {
    get isReconnecting() {
      return isReconnecting
    },
    note({ type }) {
      isUsed ||= type === 'input_audio_buffer.committed' || type === 'response.created'
    },
    greeting() {
      const greeting = conversation.beginSession(isReconnecting)
      restoredItems = greeting.length - 1
      return greeting.map((event) => JSON.stringify(event))
    },
    onLost(error) {
      const isTemporary = ParlandoError.isInstance(error) && error.retryable
      if (!isWanted || !isUsed || !isTemporary) return false
      isUsed = false
      isReconnecting = true
      isResponseLost = conversation.isResponding
      conversation.leaveSession()
      emit({ type: 'reconnecting', error })
      return true
    },
    onReopened() {
      isReconnecting = false
      // The caller may have requested a response meanwhile.
      isResponseLost &&= !conversation.isResponding
      emit({ type: 'restored', items: restoredItems, isResponseLost })
    },
  }
}
