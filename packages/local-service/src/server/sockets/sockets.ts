import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Context, Hono } from 'hono'
import { type WebSocket, WebSocketServer } from 'ws'
import { BusyError, ServiceError } from '../../errors/service-error.ts'
import { createByteBudget } from '../connections/byte-budget.ts'
import { keepConnection } from '../connections/connections.ts'
import { chooseSilent } from '../connections/make-room.ts'
import { endWithResponse } from '../responses/end-with-response.ts'
import { type ServedSocket, type ServeSocket, serveSocket } from './client-socket.ts'

export interface SocketLimits {
  /** Sockets of all clients together. Default 100. */
  maxSockets?: number
  /** How often the server checks that a client still responds, in milliseconds. Default 30,000. */
  pingMs?: number
}

/** The sockets of a server. */
export interface Sockets {
  /** Ends the messages of every socket, so that its work ends. Resolves when all have closed. */
  drain(): Promise<void>
  /** Cuts off the remaining sockets. `server.close()` waits for them. */
  close(): void
}

// A second of audio in base64 has 43 kB.
const maxMessageBytes = 1024 * 1024
// Frames and packets of a message. Each costs some hundred bytes in addition to its own.
const maxMessageParts = 4096
/** What the messages of all sockets take together, in both directions. */
const maxHeldBytes = 32 * 1024 * 1024
const retryAfterSeconds = 5
/**
 * Browsers cannot set headers, so they send the key as a subprotocol, or in the query; clients of the OpenAI API have a
 * subprotocol of their own.
 */
const keyProtocol = /(?:^|,)\s*(?:bearer_|openai-insecure-api-key\.)([^\s,]+)/

/** A request to become a WebSocket, and its connection. */
interface Handshake {
  request: IncomingMessage
  duplex: Duplex
  head: Buffer
}

/**
 * Accepts WebSockets. A handshake passes through the app like any other request: the app checks the key and the origin,
 * limits, counts and logs. A handler accepts it with `acceptSocket`.
 */
export function addSockets(server: Server, fetch: Hono['fetch'], limits: SocketLimits): Sockets {
  const { maxSockets = 100, pingMs = 30_000 } = limits
  // Compressing costs more processor time than the recognition of a command, and base64 audio does not shrink.
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    maxFragments: maxMessageParts,
    maxBufferedChunks: maxMessageParts,
  })
  const budget = createByteBudget(maxHeldBytes)
  const open = new Set<ServedSocket>()
  let onEmpty = () => {}

  const accept = ({ request, duplex, head }: Handshake, serve: ServeSocket) => {
    webSockets.handleUpgrade(request, duplex, head, (webSocket) => {
      const { hold } = budget.open(() => webSocket.terminate())
      const address = request.socket.remoteAddress ?? ''
      const onHold = countReceived(duplex, webSocket, hold)
      const socket = serveSocket(webSocket, serve, { pingMs, address, onHold })
      open.add(socket)
      webSocket.once('close', () => {
        open.delete(socket)
        if (open.size === 0) onEmpty()
      })
    })
  }
  server.on('upgrade', (request, duplex, head) => {
    // Without a listener, an error of the connection would end the process.
    duplex.on('error', () => {})
    keepConnection(request.socket)
    const handshake = { request, duplex, head }
    shakeHands(handshake, fetch, () => requirePlace(open, maxSockets))
      .then((serve) => serve && accept(handshake, serve))
      // An unhandled rejection would end the process too.
      .catch(() => duplex.destroy())
  })

  return {
    async drain() {
      if (open.size === 0) return
      const empty = new Promise<void>((resolve) => (onEmpty = resolve))
      for (const socket of open) socket.stop()
      await empty
    },
    close() {
      for (const socket of open) socket.terminate()
    },
  }
}

/** @throws {BusyError} if there are too many sockets, and none is silent. */
function requirePlace(open: Iterable<ServedSocket>, maxSockets: number): void {
  const counted = [...open].filter(({ isReplaced }) => !isReplaced)
  if (counted.length < maxSockets) return
  const silent = chooseSilent(counted)
  if (silent) {
    silent.makeRoom()
    return
  }
  const message = `The limit of ${maxSockets} sockets is reached; try again in ${retryAfterSeconds} s`
  throw new BusyError(message, retryAfterSeconds)
}

/** @returns how the app serves the socket; `undefined` if it has rejected the request. */
async function shakeHands(
  { request, duplex }: Handshake,
  fetch: Hono['fetch'],
  requirePlace: () => void,
): Promise<ServeSocket | undefined> {
  const problem = findProblem(request)
  if (problem) {
    const { body, httpStatus } = new ServiceError('INVALID_ARGUMENT', problem)
    await endWithResponse(duplex, Response.json(body, { status: httpStatus }))
    return undefined
  }
  let serve: ServeSocket | undefined
  const environment: SocketEnvironment = {
    incoming: request,
    outgoing: duplex,
    accept(accepted) {
      requirePlace()
      serve = accepted
    },
  }
  const response = await fetch(toRequest(request), environment)
  if (!serve) await endWithResponse(duplex, response)
  return serve
}

/** Adds the bytes of a message that has not arrived completely to what a socket holds. */
function countReceived(duplex: Duplex, webSocket: WebSocket, hold: (bytes: number) => void) {
  let waitingBytes = 0
  let unfinishedBytes = 0
  const update = () => hold(waitingBytes + unfinishedBytes)
  // This runs before the library reads the bytes. Control frames count too, so the count stops at the limit of a message.
  duplex.prependListener('data', ({ length }: Buffer) => {
    unfinishedBytes = Math.min(maxMessageBytes, unfinishedBytes + length)
    update()
  })
  webSocket.prependListener('message', () => {
    unfinishedBytes = 0
  })
  return (bytes: number) => {
    waitingBytes = bytes
    if (webSocket.readyState === webSocket.CLOSED) unfinishedBytes = 0
    update()
  }
}

/** What a handler of the app finds in `context.env` during a handshake. */
interface SocketEnvironment {
  incoming: IncomingMessage
  outgoing: Duplex
  accept(serve: ServeSocket): void
}

/**
 * Accepts the handshake of a WebSocket.
 * @returns a response for the app, which no client receives.
 * @throws {ServiceError} if the request is not a handshake, or too many sockets are open.
 */
export function acceptSocket(context: Context, serve: ServeSocket): Response {
  const environment: Partial<SocketEnvironment> | undefined = context.env
  if (!environment?.accept) {
    const message = `${context.req.path} is a WebSocket: connect to it with ws:// or wss://`
    throw new ServiceError('INVALID_ARGUMENT', message, 426)
  }
  environment.accept(serve)
  return new Response()
}

/** Whether a request offers to become a WebSocket, and not another protocol, such as HTTP/2. */
export function isHandshake({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** @returns why a request for an upgrade cannot be served. */
function findProblem(request: IncomingMessage): string | undefined {
  // Only versions of Node.js without the option `shouldUpgradeCallback` pass such a request to this module.
  if (!isHandshake(request)) {
    return 'The service upgrades only to WebSocket: send the request without the header Upgrade'
  }
  if (request.url?.startsWith('/')) return undefined
  return 'The target of the request must be a path that begins with /'
}

function toRequest({ url = '/', headers }: IncomingMessage): Request {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') given.set(name, value)
  }
  // The path is not resolved against a base URL: a path such as `//a` would be taken for another host.
  const target = new URL(`http://localhost${url}`)
  const inQuery = takeAuthorization(target)
  const key = keyProtocol.exec(headers['sec-websocket-protocol'] ?? '')?.[1]
  const authorization = given.get('authorization') ?? (key ? `Bearer ${key}` : inQuery)
  // Not all paths of sockets are below /v1/, where the service accepts a bearer token.
  if (authorization) given.set('authorization', authorization.replace(/^Bearer /i, 'Basic '))
  return new Request(target, { headers: given })
}

/** Removes the value from the query, so that nothing else can read or report it. */
function takeAuthorization({ searchParams }: URL): string | undefined {
  const value = searchParams.get('authorization')
  if (value === null) return undefined
  searchParams.delete('authorization')
  // A query can contain what no header can.
  return /^[ -~]+$/.test(value) ? value : undefined
}
