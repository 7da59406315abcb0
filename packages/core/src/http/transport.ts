import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { type ApiError, ProtocolError } from '../errors.ts'
import type { ResolvedOptions } from '../options.ts'
import { abortableGenerator } from '../streams/abortable-generator.ts'
import { type BegunCall, beginCall } from './call-options.ts'
import { createLimiter } from './limiter.ts'
import { headersOf, queryString, writeJson } from './request.ts'
import {
  collect,
  decodedBody,
  endingOf,
  type Listener,
  listen,
  readBytes,
  readStart,
  type StreamControl,
} from './response-body.ts'
import { networkError, type RequestFacts, responseError, streamError } from './response-errors.ts'
import { createAttempts, type RetryRule } from './retry.ts'
import { anySignal } from './signals.ts'
import { codeOf, createTrace } from './trace.ts'

export type { Listener, StreamControl } from './response-body.ts'

export interface Call extends BegunCall {
  /** What is being done, for messages: `Speech`, `Voice list`. */
  what: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Begins with a slash, comes after the base address. A colon in it must stay plain. */
  path: string
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  body?: unknown
  /** Default `safe`. */
  retry?: RetryRule
  /** How much of the body may come back in the answer, on top of `maxResponseBytes`. Default 0. */
  echoedBytes?: number
}

export interface HttpResponse {
  requestId: string
  /** The `Content-Type` header, or an empty text. */
  contentType: string
  /** The body's bytes as they arrive. Leaving the loop early closes the connection. */
  bytes: AsyncIterable<Uint8Array>
  /** The same bytes, pushed: for streams in which an iterator would cost more than the work on a piece. */
  listen(listener: Listener): StreamControl
  /** The error for a line or event inside the answer that says what went wrong. */
  errorOf(problem: unknown): ApiError
  /** Closes the connection unless the answer has ended. @param error by which it is given up, for those who watch. */
  close(error?: unknown): void
}

export interface JsonResponse extends Pick<HttpResponse, 'requestId' | 'errorOf'> {
  json: unknown
}

export interface Transport {
  /** Makes the call once and waits for the answer to begin. @throws {ParlandoError} for any status but 2xx. */
  sendOnce(call: Call): Promise<HttpResponse>
  /** The same, made again where that may help, until an answer begins. */
  send(call: Call): Promise<HttpResponse>
  /** Makes the call, again where that may help, and reads the whole answer as JSON. */
  sendForJson(call: Call): Promise<JsonResponse>
  /**
   * Makes the call when the loop begins, again where that may help, until `read` has given a first item. Leaving the loop
   * closes the connection, also while an item is waited for.
   */
  sendForItems<Item>(
    call: Call,
    read: (response: HttpResponse) => AsyncGenerator<Item, void>,
  ): AsyncGenerator<Item, void>
  /** Is aborted by `close`. */
  closing: AbortSignal
  /** Ends every call and closes every connection. */
  close(): Promise<void>
}

const maxErrorBytes = 64 * 1024

/** The one place that opens connections. The key goes to the base address and nowhere else; redirects are refused. */
export function createTransport(options: ResolvedOptions): Transport {
  const agent = new Agent({
    connect: { timeout: options.connectTimeoutMs },
    headersTimeout: options.firstByteTimeoutMs,
    bodyTimeout: options.silenceTimeoutMs,
  })
  const closing = new AbortController()
  const limiter = createLimiter(options.maxConcurrent ?? Number.POSITIVE_INFINITY)
  const baseUrl = options.baseUrl.replace(/\/+$/, '')

  const sendOnce = async (newCall: Call): Promise<HttpResponse> => {
    const call = beginCall(newCall, options)
    const sentBody = writeJson(call)
    const requestId = randomUUID()
    const facts: RequestFacts = { call, baseUrl, requestId, options }
    const signal = anySignal(call.signal, call.deadline)
    const trace = createTrace(call, requestId, options.debug)
    let leave: (() => void) | undefined
    try {
      leave = await limiter.enter(signal)
      trace.request()
      const response = await request(baseUrl + call.path + queryString(call.query), {
        dispatcher: agent,
        method: call.method,
        signal: signal ?? null,
        headersTimeout: call.firstByteTimeoutMs ?? null,
        headers: headersOf(call, requestId, options.apiKey),
        body: sentBody,
      })
      trace.firstByte(response.statusCode)
      response.body.once('close', leave)
      const body = decodedBody(response.body, header(response.headers, 'content-encoding'))
      if (response.statusCode < 200 || response.statusCode > 299) {
        const start = await readStart(body, maxErrorBytes)
        signal?.throwIfAborted()
        throw responseError(facts, {
          status: response.statusCode,
          body: start.toString('utf8'),
          retryAfter: header(response.headers, 'retry-after'),
        })
      }
      body.once('close', () => trace.end(endingOf(body, facts)))
      return {
        requestId,
        contentType: header(response.headers, 'content-type') ?? '',
        bytes: readBytes(body, facts),
        listen: (listener) => listen(body, listener, facts),
        errorOf: (problem) => streamError(facts, problem),
        close(error) {
          trace.end(error === undefined ? undefined : codeOf(error))
          body.destroy()
        },
      }
    } catch (cause) {
      const error = networkError(facts, cause, 'before the answer')
      leave?.()
      trace.end(codeOf(error))
      throw error
    }
  }

  const withAttempts = async <Result>(
    newCall: Call,
    once: (call: Call) => Promise<Result>,
  ): Promise<Result> => {
    const call = beginCall(newCall, options)
    const attempts = createAttempts(options, call, closing.signal)
    for (;;) {
      try {
        return await once(call)
      } catch (error) {
        await attempts.afterFailure(error)
      }
    }
  }

  async function* readFromFirst<Item>(
    newCall: Call,
    read: (response: HttpResponse) => AsyncGenerator<Item, void>,
  ): AsyncGenerator<Item, void> {
    const { items, first } = await withAttempts(newCall, async (call) => {
      const items = readItems(await sendOnce(call), read)
      return { items, first: await items.next() }
    })
    try {
      if (!first.done) yield first.value
      yield* items
    } finally {
      await items.return()
    }
  }

  const readJson = async (call: Call): Promise<JsonResponse> => {
    const { requestId, bytes, errorOf, close } = await sendOnce(call)
    const maxResponseBytes = options.maxResponseBytes + (call.echoedBytes ?? 0)
    const body = await collect(bytes, maxResponseBytes)
    if (!body) {
      const message = `${call.what} failed: the answer is larger than the limit of ${maxResponseBytes} bytes`
      const error = new ProtocolError(message, { code: 'RESPONSE_TOO_LARGE', requestId })
      close(error)
      throw error
    }
    try {
      return { requestId, errorOf, json: JSON.parse(body.toString('utf8')) as unknown }
    } catch {
      throw new ProtocolError(`${call.what} failed: the answer is not JSON`, {
        code: 'BAD_RESPONSE',
        requestId,
      })
    }
  }

  return {
    sendOnce,
    send: (call) => withAttempts(call, sendOnce),
    sendForJson: (call) => withAttempts(call, readJson),
    sendForItems: (call, read) =>
      abortableGenerator((left) =>
        readFromFirst({ ...call, signal: anySignal(call.signal, left) }, read),
      ),
    closing: closing.signal,
    close() {
      closing.abort()
      return agent.destroy()
    },
  }
}

/** What is read out of an answer; an error of the reader ends the request. */
async function* readItems<Item>(
  response: HttpResponse,
  read: (response: HttpResponse) => AsyncGenerator<Item, void>,
): AsyncGenerator<Item, void> {
  try {
    yield* read(response)
  } catch (error) {
    response.close(error)
    throw error
  }
}

function header(
  headers: Record<string, string | string[] | undefined>,
  name: string,
): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
