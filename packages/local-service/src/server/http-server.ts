import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { ServiceError } from '../errors/service-error.ts'
import {
  type ConnectionLimits,
  closeWhenSilent,
  inSequence,
  limitConnections,
} from './connections/connections.ts'
import { rejectMalformed } from './connections/reject-malformed.ts'
import { listen } from './open-port.ts'
import { ResponseDuringRequest } from './responses/response-during-request.ts'
import { addSockets, isHandshake, type SocketLimits } from './sockets/sockets.ts'

export interface ServerOptions extends ConnectionLimits, SocketLimits {
  fetch: Hono['fetch']
  host: string
  port: number
  /** How long a caller may take to send the headers and the whole request, in milliseconds. Defaults 10,000 and 60,000. */
  headLimitMs?: number
  requestLimitMs?: number
  /** How long a connection may be without any traffic, in milliseconds. Default 5 minutes: a client may pause between reads. */
  silenceLimitMs?: number
}

/** A server that can stop without cutting off running requests. */
export interface ListeningServer {
  baseUrl: string
  /**
   * Closes each connection after its response, and lets the work on WebSockets end. Resolves when the last response is
   * sent and the last socket has closed, or when the limit has passed.
   */
  drain(limitMs: number): Promise<void>
  /** Cuts off the remaining connections and releases the port. */
  close(): Promise<void>
}

const maxHeadBytes = 16 * 1024
/** A request that offers another protocol gets its ordinary response. Older versions of Node.js ignore this option. */
const upgradeOptions = { shouldUpgradeCallback: isHandshake }

/** @throws {Error} with `code` `EADDRINUSE` if the port is in use, with other codes if the address does not exist. */
export async function openServer(options: ServerOptions): Promise<ListeningServer> {
  const { host, headLimitMs = 10_000, requestLimitMs = 60_000 } = options
  const { silenceLimitMs = 5 * 60_000 } = options
  const responses = createRunningResponses()
  let isDraining = false
  const server = createServer({
    ServerResponse: ResponseDuringRequest,
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headLimitMs,
    requestTimeout: requestLimitMs,
    connectionsCheckingInterval: Math.min(1000, headLimitMs),
    ...upgradeOptions,
  })
  limitConnections(server, options)
  closeWhenSilent(server, silenceLimitMs)
  rejectMalformed(server, maxHeadBytes)
  const handle = createListener(options.fetch)
  server.on(
    'request',
    inSequence((request, response) => {
      if (isDraining) response.shouldKeepAlive = false
      responses.add(response)
      handle(request, response)
    }),
  )
  // Node would invite every body. `limitBody` invites it when the service accepts the request.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const sockets = addSockets(server, options.fetch, options)
  await listen(server, {
    host,
    port: options.port,
    inUseMessage: `Port ${options.port} of ${host} is already in use. Choose another port (--port), or 0 for any free port`,
    // Nothing was asked of the service.
    onFailure() {},
  })
  const { port } = server.address() as { port: number }

  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async drain(limitMs) {
      isDraining = true
      const limit = new AbortController()
      const passed = wait(limitMs, undefined, { signal: limit.signal }).catch(() => {})
      await Promise.race([Promise.all([responses.ended(), sockets.drain()]), passed])
      limit.abort()
    },
    async close() {
      sockets.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Passes requests to the app. */
function createListener(fetch: Hono['fetch']): RequestListener {
  const handle = getRequestListener(fetch, {
    autoCleanupIncoming: false,
    // Clients of HTTP/1.0 may send no name.
    hostname: 'localhost',
    errorHandler: rejectTarget,
  })
  return (request, response) => {
    // The library compares the scheme of an absolute address with lower case.
    request.url = request.url?.replace(/^https?:/i, (scheme) => scheme.toLowerCase())
    void handle(request, response)
  }
}

/** Rejects an address or a host that is not one. By default, such a response has no body. */
function rejectTarget(error: unknown): Response {
  const message = `The address of the request is not valid: ${(error as Error).message}`
  const { body, httpStatus } = new ServiceError('INVALID_ARGUMENT', message)
  return Response.json(body, { status: httpStatus })
}

/** The responses that have not ended. */
function createRunningResponses() {
  const running = new Set<ServerResponse>()
  let onIdle = () => {}
  return {
    add(response: ServerResponse) {
      running.add(response)
      response.once('close', () => {
        running.delete(response)
        if (running.size === 0) onIdle()
      })
    },
    /** Resolves when none is left. */
    ended: () =>
      new Promise<void>((resolve) => {
        if (running.size === 0) resolve()
        else onIdle = resolve
      }),
  }
}
