import { request as sendRequest } from 'undici'
import type { z } from 'zod'
import { InputError } from '../errors.ts'
import { Attempt, type AttemptContext, type RetryRule, withRetries } from './attempt.ts'
import { createCallLimiter } from './call-limiter.ts'
import type { Call, ResolvedOptions } from './client-options.ts'
import { openConnections } from './dispatcher.ts'
import { type JsonResponse, parseResponse, readJson } from './read-json.ts'
import { type HttpResponse, openResponse } from './response.ts'
import { waitedTooLong } from './response-errors.ts'
import { openSocket, type Socket, type SocketReceiver, type SocketRequest } from './socket.ts'
import { anySignal, orAborted } from './time-limit.ts'
import { traceHeaders } from './trace.ts'

/** A request to the service, relative to its base address. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Appended to the base address, begins with a slash. A colon in it must not be percent-encoded. */
  path: string
  /** The whole address of a file that the service names. The request carries neither the key nor headers of the caller. */
  fileUrl?: string
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  body?: RequestBody
  /** Default `safe`. */
  retry?: RetryRule
  /** Default: the `firstByteTimeoutMs` of the client. The call's own overrides both. */
  firstByteTimeoutMs?: number
  /** How much of the body the response may repeat, on top of `maxResponseBytes`. Default 0. */
  echoedBytes?: number
}

/** A retry sends the same body again, so a body is data, never a stream. */
export type RequestBody = { json: unknown } | { bytes: Uint8Array; contentType: string }

export interface Transport {
  /**
   * Sends the request and reads the response, with retries. An error of `read` closes the connection and counts as a
   * failure of the attempt.
   * @param read its result is the result of the call.
   * @param mayRetry checked after a failure; for readers that deliver items before they finish.
   * @throws {ParlandoError} of the last attempt. Every status except 2xx is an error.
   */
  send<Result>(
    request: HttpRequest,
    call: Call,
    read: (response: HttpResponse) => Promise<Result>,
    mayRetry?: () => boolean,
  ): Promise<Result>
  /** Sends the request and reads the whole response as JSON. @throws {ProtocolError} `BAD_RESPONSE` if it does not match the schema. */
  sendForJson<Schema extends z.ZodType>(
    schema: Schema,
    request: HttpRequest,
    call: Call,
  ): Promise<JsonResponse<z.output<Schema>>>
  /** Opens a WebSocket, with retries. @throws {ParlandoError} of the last attempt. */
  openSocket(request: SocketRequest, call: Call, receiver: SocketReceiver): Promise<Socket>
  /**
   * Waits until a call on a shared socket may run. @returns a function that ends the call.
   * @throws the signal's reason if it is aborted.
   */
  acquire(signal: AbortSignal | undefined): Promise<() => void>
  /** Ends every call and closes every connection. */
  close(): Promise<void>
}

/** The only place that opens connections. The key goes only to the base address; redirects are errors. */
export function createTransport(options: ResolvedOptions): Transport {
  const connections = openConnections(options)
  const closing = new AbortController()
  const limiter = createCallLimiter(options.maxConcurrent ?? Number.POSITIVE_INFINITY)
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const context = { options, baseUrl, connections, limiter, closing: closing.signal }

  const send: Transport['send'] = async (request, call, read, mayRetry) => {
    const body = encodeBody(request, call)
    const attempt = async () => {
      const response = await sendOnce(context, request, body, call)
      try {
        return await read(response)
      } catch (error) {
        response.close(error)
        throw error
      }
    }
    return withRetries(attempt, { rule: request.retry, call, mayRetry, ...context })
  }

  return {
    send,
    async sendForJson(schema, request, call) {
      const maxBytes = options.maxResponseBytes + (request.echoedBytes ?? 0)
      const read = async (response: HttpResponse) => {
        return { response, json: await readJson(response, maxBytes) }
      }
      const { response, json } = await send(request, call, read)
      return parseResponse(schema, response, json)
    },
    openSocket: (request, call, receiver) => openSocket(context, request, call, receiver),
    acquire: limiter.acquire,
    close() {
      closing.abort()
      return connections.close()
    },
  }
}

/** Makes one attempt: sends the request in its turn, and waits for the response to begin. */
async function sendOnce(
  context: AttemptContext,
  request: HttpRequest,
  body: EncodedBody | undefined,
  call: Call,
): Promise<HttpResponse> {
  const { options, baseUrl, connections, closing } = context
  const { method, path, query, fileUrl } = request
  // Destroying the client's own connections ends their requests. A caller's dispatcher stays open, so a signal ends them.
  const ending = options.dispatcher ? closing : undefined
  const aborts = anySignal(call.signal, call.deadline(), ending)
  const attempt = new Attempt(context, { method, path }, call, aborts)
  const { facts, timeLimit, trace } = attempt
  try {
    await attempt.begin()
    const tracing = await traceHeaders()
    const firstByteTimeoutMs =
      call.firstByteTimeoutMs ?? request.firstByteTimeoutMs ?? options.firstByteTimeoutMs
    timeLimit.start(firstByteTimeoutMs, () =>
      waitedTooLong(facts, 'first byte', firstByteTimeoutMs),
    )
    const responding = sendRequest(fileUrl ?? baseUrl + path + queryString(query), {
      dispatcher: connections.dispatcher,
      method,
      signal: timeLimit.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: {
        'accept-encoding': 'identity',
        ...tracing,
        ...(fileUrl === undefined && call.headers),
        accept: fileUrl === undefined ? 'application/json' : '*/*',
        'x-request-id': facts.requestId,
        ...(options.apiKey &&
          fileUrl === undefined && { authorization: `Basic ${options.apiKey}` }),
        ...(body && { 'content-type': body.contentType }),
      },
      body: body?.content ?? null,
    })
    // While a connection opens, undici ignores the signal; afterwards it sends nothing of an aborted request.
    const response = await orAborted(responding, timeLimit.signal)
    trace.firstByte(response.statusCode)
    response.body.on('close', attempt.release)
    return await openResponse(response, attempt, aborts)
  } catch (cause) {
    throw attempt.fail(cause)
  }
}

function queryString(query: HttpRequest['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item))
    }
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

interface EncodedBody {
  content: string | Uint8Array
  contentType: string
}

/** @throws {InputError} when the JSON cannot be serialised. */
function encodeBody({ body }: HttpRequest, { what }: Call): EncodedBody | undefined {
  if (!body) return undefined
  if ('bytes' in body) return { content: body.bytes, contentType: body.contentType }
  return { content: serialise(body.json, what), contentType: 'application/json' }
}

function serialise(json: unknown, what: string): string {
  try {
    return JSON.stringify(json)
  } catch {
    // The reason may quote the body, so it is not the cause of this error.
    throw new InputError(
      `${what} request not valid: it cannot be serialised as JSON (circular reference, BigInt, or too large)`,
    )
  }
}
