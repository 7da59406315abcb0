import type { CallOptions } from '../../http/client-options.ts'
import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeResponseSettings, RealtimeSession } from '../../wire/realtime-session.ts'
import type { RealtimeEvent } from './realtime-event.ts'

/** Options of a conversation. `timeoutMs` limits the whole conversation. */
export interface RealtimeOptions extends CallOptions {
  /** Ends a conversation in which nobody has said anything for this time, in milliseconds. Default 600,000. */
  idleTimeoutMs?: number
  /**
   * Whether the client opens a new session when the connection is lost, and sends the settings and the items of the
   * conversation again, as text. It does so only if something was said over the lost connection. Default true.
   */
  reconnect?: boolean
}

/**
 * A spoken conversation with a language model: send audio and, at the same time, read events. It connects at once. The
 * loop receives the error of the conversation after the events before it. After the end, methods have no effect.
 */
export interface RealtimeConversation extends AsyncIterable<RealtimeEvent>, AsyncDisposable {
  /** The `X-Request-Id` of the connection; `undefined` while there is none. */
  readonly requestId: string | undefined
  /** How long a player still needs for the speech that the client has received, by the clock or by `reportPlayed`. */
  readonly unplayedMs: number
  /**
   * Sends what the user says, in the input format of the session, by default PCM: mono, signed 16-bit little-endian,
   * 24 kHz. Pieces can have any size. Before the first connection is open, audio waits; while the client reconnects, it
   * drops audio.
   * @returns a promise that resolves when the connection takes more. Audio that arrives in real time need not wait for it;
   * a rejection that nothing waits for has no effect.
   * @throws {InputError} after the end, and when 16 MiB are waiting.
   */
  sendAudio(audio: Uint8Array): Promise<void>
  /** Ends the turn of the user and requests a response. With turn detection, the service does this itself. */
  endTurn(): void
  /** Sends a message of the user as text and requests a response. */
  sendText(text: string): void
  /**
   * Sends the result of a tool that the model called. When all calls have a result, requests a response.
   * @throws {InputError} if no call with this id waits for a result.
   */
  sendToolResult(callId: string, result: string): void
  /** Requests a response, as soon as none is in progress. The settings override those of the session. */
  respond(response?: RealtimeResponseSettings): void
  /** Cancels the response, and reports to the service what the user has heard. An `interrupted` event follows. */
  interrupt(): void
  /** Changes the given settings and keeps the others. @throws {InputError} if they are not valid. */
  updateSession(session: RealtimeSession): void
  /**
   * Reports how much of an item a player has played, in milliseconds. Without reports, the client assumes that a player
   * plays speech as soon as it receives it.
   */
  reportPlayed(itemId: string, playedMs: number): void
  /** Sends any other event. @throws {InputError} if it is not valid. */
  send(event: RealtimeClientEvent): void
  /**
   * Can be called once. Leaving the loop early ends the conversation. Up to 64 events, and those of one more network
   * read, wait for the loop; then the client reads no more, and notices no interruption.
   */
  [Symbol.asyncIterator](): AsyncIterator<RealtimeEvent, undefined>
  /** Closes the connection and drops the waiting events. A loop that waits for an event ends. */
  close(): Promise<void>
}
