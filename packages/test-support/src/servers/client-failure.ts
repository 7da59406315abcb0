import type { Duplex } from 'node:stream'
import { inspect } from 'node:util'
import { onTestFinished } from 'vitest'
import { createClient } from '../../../core/src/client.ts'
import { ParlandoError } from '../../../core/src/errors.ts'
import type { ClientOptions } from '../../../core/src/http/client-options.ts'
import { saveRecord } from '../secrets/records.ts'
import { type SocketServerHandlers, startSocketServer } from './socket-server.ts'

/** The error with which a call of the client fails. It becomes part of the records. */
export async function failureOf(promise: Promise<unknown>): Promise<ParlandoError> {
  const error = await promise.then(
    () => new Error('the promise did not reject'),
    (reason: unknown) => reason,
  )
  if (!ParlandoError.isInstance(error)) throw error
  saveRecord('errors', inspect(error, { depth: 9, showHidden: true }))
  return error
}

/** Opens a stream. Transcription is the simplest use of a socket. */
export function openStream(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({ baseUrl, maxRetries: 0, ...options })
  onTestFinished(() => client.close())
  return client.transcribeStream()
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Starts a server, and reads a stream from it until it fails. */
export async function failWith(
  handlers: SocketServerHandlers,
  options: Partial<ClientOptions> = {},
) {
  const server = await startSocketServer(handlers)
  const error = await failureOf(readAll(openStream(server.baseUrl, options)))
  return { server, error }
}

export const respond = (text: string) => (connection: Duplex) => void connection.end(text)
export const response = (status: string, body: string, headers = '') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`
