import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { type WebSocket, WebSocketServer } from 'ws'
import { damaged } from '../inputs/bytes.ts'
import { anyJson, grown, mutated } from '../inputs/json.ts'

export const toText = (value: unknown) => JSON.stringify(value) ?? ''

/** A place where nothing of what a device sends may make Node-RED go. */
export async function startTrap() {
  const contacts: string[] = []
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  // Also one that begins a handshake of TLS, which is no request.
  server.on('connection', () => contacts.push('a connection'))
  server.on('request', ({ url }) => contacts.push(`a request for ${url}`))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, contacts, close: () => void server.close() }
}

/** A message of an API, mostly as it should be. */
export function anyFrame(valid: object): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(toText(valid)) },
    { weight: 2, arbitrary: mutated(valid, 1).map(toText) },
    { weight: 2, arbitrary: grown(valid).map(toText) },
    { weight: 2, arbitrary: damaged(toText(valid), 1) },
    { weight: 1, arbitrary: anyJson.map(toText) },
    { weight: 1, arbitrary: fc.constant('') },
  )
}

export interface HostileApi {
  /** The first message to each client. */
  greeting: string
  /** It must be in no handshake. */
  token: string
  respond(socket: WebSocket, text: string): void
  onLeak(where: string): void
}

/** Serves an API over WebSockets. */
export async function serveHostileApi({ greeting, token, respond, onLeak }: HostileApi) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const webSockets = new WebSocketServer({ server })
  webSockets.on('connection', (socket, { url = '', headers }) => {
    if (`${url}${toText(headers)}`.includes(token)) onLeak('handshake')
    socket.on('error', () => {})
    socket.send(greeting)
    socket.on('message', (data) => respond(socket, String(data)))
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of webSockets.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What a device that fetches a sound does. */
export async function fetchSound(url: string): Promise<void> {
  await fetch(url).then(
    (sound) => sound.text(),
    () => {},
  )
}

/** JSON of a size that takes long to read, or ends nowhere. */
export function largeJson(bytes: number): [what: string, text: string][] {
  return [
    ['deep lists', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
    ['deep lists without an end', '['.repeat(bytes)],
    ['deep objects', `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`],
    ['many fields', `{${Array.from({ length: bytes / 12 }, (_, n) => `"${n + 1e5}":1`).join()}}`],
    ['many numbers', `[${'1,'.repeat(bytes / 2 - 2)}1]`],
    ['many empty lists', `[${'[],'.repeat(bytes / 3 - 2)}1]`],
    ['a text of quotation marks', `"${'\\"'.repeat(bytes / 2 - 2)}"`],
    ['too much', 'x'.repeat(4 * bytes)],
  ]
}
