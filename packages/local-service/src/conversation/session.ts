import type { RealtimeClientEvent } from '@parlando/core/wire'
import { handleEvent } from './client-events.ts'
import type { Player } from './connection.ts'
import { createConversation } from './conversation.ts'
import type { Emit } from './server-events.ts'
import { newId } from './server-events.ts'
import type { SessionContext, SessionParts } from './session-parts.ts'
import { defaultSettings } from './session-settings.ts'
import { createTurnTaking } from './turn-taking.ts'

/** A conversation with one client. */
export interface Session {
  /**
   * Handles an event of the client. The calls must follow one another.
   * @throws {ServiceError} if the session rejects the event. The session continues.
   */
  take(event: RealtimeClientEvent): Promise<void>
  /** Whether a turn is being transcribed, or the model responds, or the client still plays the response. */
  isBusy(): boolean
  /** Stops all work. Resolves when it has ended. Must be called after success and after failure. */
  close(): Promise<void>
}

export interface SessionOptions extends SessionContext {
  /** The name of the language model. */
  modelId: string
  emit: Emit
  /** Default: the client plays the responses, and stops when the user speaks. */
  player?: Player
}

/** Starts a session and sends its first event. @throws {ServiceError} if the language model is unknown. */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { modelId: model, emit } = options
  const closing = new AbortController()
  const state = {
    model: await options.findModel(model),
    settings: defaultSettings({ id: newId('sess'), model, voice: options.findVoice(undefined) }),
  }
  const conversation = createConversation()
  const parts: SessionParts = { ...options, conversation, state, signal: closing.signal }
  const turnTaking = createTurnTaking(parts)

  await emit({ type: 'session.created', session: { ...state.settings } })
  return {
    take: (event) => handleEvent(event, { ...parts, turnTaking }),
    isBusy() {
      const { input, responder } = turnTaking
      const isPlaying = (responder.latest?.unplayedMs ?? 0) > 0
      return input.isTranscribing || responder.current !== undefined || isPlaying
    },
    close() {
      closing.abort()
      return turnTaking.close()
    },
  }
}
