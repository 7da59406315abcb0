import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'hono'
import type { TrustedProxies } from '../admission/trusted-proxies.ts'

export interface ConnectionLimits {
  /** All connections. Default 1,000. A client opens a handful; an idle connection costs some 10 kB. */
  maxConnections?: number
  /** Connections of one address that have not yet shown the key. Default 100. */
  maxUntrustedPerAddress?: number
  /** The connections of these have callers of many addresses, and no limit of one. Default: none. */
  proxies?: TrustedProxies | undefined
}

/** Further requests that a connection may send before it has read the response to an earlier one. */
const maxPipelined = 100

const trusted = new WeakSet<Socket>()

/** The work of a connection that has any. */
interface ConnectionWork {
  /** The current response; absent for a WebSocket. */
  response?: ServerResponse
  /** The request that has arrived last. */
  latest?: IncomingMessage
  /** What follows the current response. */
  waiting: (() => void)[]
}

const workOf = new WeakMap<Socket, ConnectionWork>()

/** Marks the connection of a request that may use the service: it then keeps its place while it has work. */
export function trustConnection({ env }: Context): void {
  const incoming: IncomingMessage | undefined = env?.incoming
  if (incoming) trusted.add(incoming.socket)
}

/** Marks a connection that became a WebSocket: it always has work. */
export function keepConnection(socket: Socket): void {
  workOf.set(socket, { waiting: [] })
}

/**
 * Limits the connections. Above a limit, the oldest connection that has not shown the key makes room for the new one,
 * then the oldest one without a request: otherwise, silent connections could keep everybody out.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { maxConnections = 1000, maxUntrustedPerAddress = 100, proxies } = limits
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    const others = [...open]
    open.add(socket)
    socket.once('close', () => open.delete(socket))

    const untrusted = others.filter((other) => !trusted.has(other))
    const { remoteAddress = '' } = socket
    const sameAddress = proxies?.has(remoteAddress)
      ? []
      : untrusted.filter((other) => other.remoteAddress === remoteAddress)
    const isFull = others.length >= maxConnections
    const closed =
      sameAddress.length >= maxUntrustedPerAddress
        ? sameAddress[0]
        : isFull && (untrusted[0] ?? others.find((other) => !workOf.has(other)) ?? socket)
    if (!closed) return
    open.delete(closed)
    closed.destroy()
  })
}

/**
 * Handles the requests of a connection one after another: the next one when the client has read the response. Otherwise,
 * a client that sends requests and never reads would fill the memory with responses.
 */
export function inSequence(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    const work = workOf.get(socket)
    const start = () => {
      Object.assign(workOf.get(socket)!, { response })
      response.once('close', () => startNext(socket))
      listener(request, response)
    }
    if (!work) {
      workOf.set(socket, { latest: request, waiting: [] })
      start()
    } else if (work.waiting.length < maxPipelined) {
      work.latest = request
      work.waiting.push(start)
    } else socket.destroy()
  }
}

/**
 * Closes a connection whose client no longer reads or sends. Node's own limit can take twice as long: it counts the bytes
 * that the system accepted at the start of a write as traffic when the limit has passed. So this function checks in short
 * intervals. The time in which a client waits for the response to a complete request does not count.
 */
export function closeWhenSilent(server: Server, silenceLimitMs: number): void {
  const checkMs = silenceLimitMs / 10
  // A connection without a request that is silent for one interval closes; Node does that.
  server.timeout = checkMs
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    let lastCheck = 0
    let lastBytes = 0
    let silentMs = 0
    response.on('timeout', (socket: Socket) => {
      const now = performance.now()
      const bytes = socket.bytesRead + socket.bytesWritten
      // Without traffic, the checks follow each other at once. Those of a large write are not counted one by one.
      const hasPaused = now - lastCheck > 1.5 * checkMs || bytes !== lastBytes
      // The transcription of a long recording may take longer than the limit.
      const isWaiting = request.complete && !response.headersSent
      silentMs = hasPaused ? checkMs : silentMs + checkMs
      if (isWaiting) silentMs = 0
      lastCheck = now
      lastBytes = bytes
      if (silentMs >= silenceLimitMs) socket.destroy()
      else socket.setTimeout(checkMs)
    })
  })
}

function startNext(socket: Socket): void {
  const start = workOf.get(socket)?.waiting.shift()
  if (start && !socket.destroyed) start()
  else workOf.delete(socket)
}

/**
 * Ends a connection whose further bytes cannot be read.
 * @param respond Called after the responses to the requests before them. Not called if these bytes belong to a request that
 * already has a part of its response: the connection is then closed.
 */
export function endAfterResponses(socket: Socket, respond: () => void): void {
  const { response, latest, waiting } = workOf.get(socket) ?? ({} as Partial<ConnectionWork>)
  const belongToLatest = latest?.complete === false
  // A request that is incomplete and waits is not handled any more.
  const belongToCurrent = belongToLatest && waiting?.pop() === undefined
  if (!belongToCurrent && waiting) waiting.push(respond)
  else if (response?.headersSent) socket.destroy()
  else respond()
}
