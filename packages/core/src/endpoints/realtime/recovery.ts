import { ParlandoError } from '../../errors.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { ConversationState } from './conversation-state.ts'
import type { RealtimeEvent } from './realtime-event.ts'

export interface RecoveryOptions {
  conversation: ConversationState
  /** Whether to open another connection at all. */
  isWanted: boolean
  emit(event: RealtimeEvent): void
}

/** Restores a conversation over a new connection, and reports that to the reader. */
export class Recovery {
  /** Whether the connection is lost and not yet replaced. */
  isReconnecting = false
  readonly #options: RecoveryOptions
  #isResponseLost = false
  #restoredItems = 0
  /** Whether something was said over this connection. A connection that is lost sooner would be lost again. */
  #isUsed = false

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  /** Takes an event of the service. */
  note({ type }: RealtimeServerEvent): void {
    this.#isUsed ||= type === 'input_audio_buffer.committed' || type === 'response.created'
  }

  /** The messages that begin a connection. */
  greeting(): string[] {
    const greeting = this.#options.conversation.beginSession(this.isReconnecting)
    this.#restoredItems = greeting.length - 1
    return greeting.map((event) => JSON.stringify(event))
  }

  /** The connection was lost. @returns whether to open another one. */
  onLost(error: unknown): boolean {
    const { conversation, isWanted, emit } = this.#options
    const isTemporary = ParlandoError.isInstance(error) && error.retryable
    if (!isWanted || !this.#isUsed || !isTemporary) return false
    this.#isUsed = false
    this.isReconnecting = true
    this.#isResponseLost = conversation.isResponding
    conversation.leaveSession()
    emit({ type: 'reconnecting', error })
    return true
  }

  /** Another connection is open. */
  onReopened(): void {
    const { conversation, emit } = this.#options
    this.isReconnecting = false
    // The caller may have requested a response meanwhile.
    this.#isResponseLost &&= !conversation.isResponding
    emit({ type: 'restored', items: this.#restoredItems, isResponseLost: this.#isResponseLost })
  }
}
