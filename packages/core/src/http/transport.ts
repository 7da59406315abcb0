import type { Readable } from 'node:stream'
import { type Dispatcher, request as sendRequest } from 'undici'
import type { ApiError } from '../errors.ts'
import { badResponse, type RequestName, responseTooLarge } from '../protocol-errors.ts'
import type { Sink, StreamControl } from '../streams/sink.ts'
import { parseJson } from '../wire/json.ts'
import { type Attempt, createAttempt } from './attempt.ts'
import type { Call } from './call.ts'
import { openConnections } from './dispatcher.ts'
import { createLimiter } from './limiter.ts'
import type { ResolvedOptions } from './options.ts'
import { type EncodedBody, encodeBody, type HttpRequest, queryString } from './request.ts'
import { collect, decodedBody, endingOf, pushBytes, readBytes, readStart } from './response-body.ts'
import { responseError, streamError, waitedTooLong } from './response-errors.ts'
import { withRetries } from './retry.ts'
import { anySignal, orAborted } from './signals.ts'
import { openSocket, type Socket, type SocketReceiver, type SocketRequest } from './socket.ts'
import { codeOf } from './trace.ts'

export type { HttpRequest } from './request.ts'

/** A response with a status of 2xx whose body has yet to be read. */
export interface HttpResponse extends Required<RequestName> {
  /** The `Content-Type` header, or an empty text. */
  contentType: string
  /** @param name in small letters. @returns the value of another header. */
  header(name: string): string | undefined
  /** The body's bytes as they arrive. Leaving the loop early closes the connection. */
  bytes(): AsyncIterable<Uint8Array>
  /**
   * Pushes the same bytes, for streams in which an iterator would cost more than the work on a chunk. An error that `next` or
   * `end` of the sink throws goes to its `error`.
   */
  pushTo(sink: Sink<Buffer>): StreamControl
  /** The error for an error that the body contains, such as a line or an event of a stream. */
  errorOf(problem: unknown): ApiError
  /** Closes the connection unless the body has ended. @param error the reason; only the debug hook receives its code. */
  close(error?: unknown): void
}

export interface JsonResponse
  extends Pick<HttpResponse, 'what' | 'requestId' | 'errorOf' | 'header'> {
  json: unknown
}

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
  /** Reads the whole response as JSON. */
  sendForJson(request: HttpRequest, call: Call): Promise<JsonResponse>
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

const maxErrorBytes = 64 * 1024

/** The only place that opens connections. The key goes only to the base address; redirects are errors. */
export function createTransport(options: ResolvedOptions): Transport {
  const connections = openConnections(options)
  const closing = new AbortController()
  // Destroying the client's own connections ends their requests. A caller's dispatcher stays open, so a signal ends them.
  const ending = options.dispatcher ? closing.signal : undefined
  const limiter = createLimiter(options.maxConcurrent ?? Number.POSITIVE_INFINITY)
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const context = { options, baseUrl, connections, limiter, closing: closing.signal }

  const sendOnce = async (
    request: HttpRequest,
    body: EncodedBody | undefined,
    call: Call,
  ): Promise<HttpResponse> => {
    const { method, path } = request
    const aborts = anySignal(call.signal, call.deadline(), ending)
    const attempt = createAttempt(context, request, call, aborts)
    const { facts, timeLimit, trace } = attempt
    try {
      await attempt.begin()
      const firstByteTimeoutMs =
        call.firstByteTimeoutMs ?? request.firstByteTimeoutMs ?? options.firstByteTimeoutMs
      timeLimit.start(firstByteTimeoutMs, () =>
        waitedTooLong(facts, 'first byte', firstByteTimeoutMs),
      )
      const responding = sendRequest(baseUrl + path + queryString(request.query), {
        dispatcher: connections.dispatcher,
        method,
        signal: timeLimit.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        headers: {
          'accept-encoding': 'identity',
          ...call.headers,
          accept: 'application/json',
          'x-request-id': facts.requestId,
          ...(options.apiKey && { authorization: `Basic ${options.apiKey}` }),
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

  const send: Transport['send'] = async (kind, call, read, mayRetry) => {
    const request = withPurpose(kind, call)
    const body = await encodeBody(request)
    const attempt = async () => {
      const response = await sendOnce(request, body, call)
      try {
        return await read(response)
      } catch (error) {
        response.close(error)
        throw error
      }
    }
    const { what, retry: rule } = request
    return withRetries(attempt, { what, rule, call, options, mayRetry, closing: closing.signal })
  }

  return {
    send,
    sendForJson(request, call) {
      const maxBytes = options.maxResponseBytes + (request.echoedBytes ?? 0)
      return send(request, call, (response) => readJson(response, maxBytes))
    },
    openSocket(kind, call, receiver) {
      return openSocket(context, withPurpose(kind, call), call, receiver)
    },
    acquire: limiter.acquire,
    close() {
      closing.abort()
      return connections.close()
    },
  }
}

function withPurpose<Request extends { what: string }>(
  request: Request,
  { purpose }: Call,
): Request {
  return purpose ? { ...request, what: purpose } : request
}

/** @throws {ApiError} for every status except 2xx. */
async function openResponse(
  response: Dispatcher.ResponseData,
  { facts, timeLimit, trace }: Attempt,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  const { statusCode: status, headers } = response
  const encoding = header(headers, 'content-encoding')
  const decoded = decodedBody(response.body, encoding)
  const body: Readable = decoded ?? response.body.on('error', () => {}).destroy()
  const { silenceTimeoutMs } = facts.options
  // Bytes that wait for a slow reader are not silence.
  const hasBytes = () => body.readableLength > 0
  timeLimit.start(
    silenceTimeoutMs,
    () => waitedTooLong(facts, 'next byte', silenceTimeoutMs),
    hasBytes,
  )
  if (status < 200 || status > 299) {
    const start = decoded ? await readStart(decoded, maxErrorBytes) : Buffer.alloc(0)
    signal?.throwIfAborted()
    const retryAfter = header(headers, 'retry-after')
    throw responseError(facts, { status, body: start.toString('utf8'), retryAfter })
  }
  if (!decoded) {
    const problem = `this version of Node cannot read a response in the Content-Encoding ${encoding}`
    throw badResponse(facts, problem)
  }
  body.on('close', () => trace.end(endingOf(body, facts)))
  return {
    what: facts.what,
    requestId: facts.requestId,
    contentType: header(headers, 'content-type') ?? '',
    header: (name) => header(headers, name),
    bytes: () => readBytes(body, facts, timeLimit),
    pushTo: (sink) => pushBytes(body, sink, facts, timeLimit),
    errorOf: (problem) => streamError(facts, problem),
    close(error) {
      trace.end(error === undefined ? undefined : codeOf(error))
      body.destroy()
    },
  }
}

async function readJson(response: HttpResponse, maxBytes: number): Promise<JsonResponse> {
  const { what, requestId, bytes, errorOf, header } = response
  const body = await collect(bytes(), maxBytes)
  if (!body) {
    const problem = `the response is larger than the limit of ${maxBytes} bytes`
    throw responseTooLarge(response, problem)
  }
  const json = parseJson(body.toString('utf8'))
  if (json === undefined) throw badResponse(response, 'the response is not JSON')
  return { what, requestId, errorOf, header, json }
}

function header(
  headers: Record<string, string | string[] | undefined>,
  name: string,
): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
