import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createClient } from '../../../core/src/client.ts'
import type { ClientOptions } from '../../../core/src/http/client-options.ts'
import { failureOf } from './client-failure.ts'
import { type SocketServerHandlers, startSocketServer } from './socket-server.ts'

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
