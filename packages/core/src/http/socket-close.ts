import type { Duplex } from 'node:stream'
import type { WebSocket } from 'undici'
import { ConnectionError, type ProtocolError } from '../errors.ts'
import { badResponse } from '../protocol-errors.ts'
import { errorBodyText, networkError, type RequestFacts } from './response-errors.ts'

// https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number
export const closeCodes = { normal: 1000, none: 1005, abnormal: 1006 }
/** Going away, internal error, restart, try later, bad gateway. */
const transientCloseCodes = [1001, 1011, 1012, 1013, 1014]

/** The time for a closing handshake. */
const closeTimeoutMs = 1000

/** Says goodbye, and closes the connection after a second even if the service does not. */
export function disconnect(
  webSocket: WebSocket,
  connection: Duplex | undefined,
  isUrgent: boolean,
) {
  // A paused connection would never deliver the goodbye of the service.
  connection?.resume()
  webSocket.close(closeCodes.normal)
  if (!connection || connection.destroyed) return
  if (isUrgent) return void connection.destroy()
  const timer = setTimeout(() => connection.destroy(), closeTimeoutMs)
  connection.once('close', () => clearTimeout(timer))
}

/** The error for a connection that ended without a goodbye. */
export function lost(facts: RequestFacts): unknown {
  return networkError(facts, undefined, 'during the response')
}

/** The error if undici ended the connection, for a reason that it does not report. */
export function invalidMessage(facts: RequestFacts): ProtocolError {
  const { maxLineBytes } = facts.options
  const problem = `the service sent a message of more than ${maxLineBytes} bytes, or one that is malformed`
  return badResponse(facts, problem)
}

/** The error for a socket that the service closed. @param reason what it says about that; may be empty. */
export function closedBy(facts: RequestFacts, closeCode: number, reason: string): ConnectionError {
  const { what, call, requestId, options } = facts
  const { apiKey } = options
  const text = errorBodyText({ message: reason, isPage: false, apiKey, headers: call.headers })
  const status = text ? `${closeCode}: ${text}` : closeCode
  const message = `${what} broke off: the service closed the connection (${status})`
  const retryable = closeCode === closeCodes.normal || transientCloseCodes.includes(closeCode)
  return new ConnectionError(message, { code: 'CONNECTION_LOST', retryable, requestId })
}
