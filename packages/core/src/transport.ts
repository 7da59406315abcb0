import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { answerError, networkError, type RequestFacts, streamError } from './answer-errors.ts'
import { type ApiError, ProtocolError } from './errors.ts'
import type { ResolvedOptions } from './options.ts'

export interface Call {
  /** What is being done, for messages: `Speech`, `Voice list`. */
  what: string
  method: 'GET' | 'POST'
  /** Begins with a slash, comes after the base address. A colon in it must stay plain. */
  path: string
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  body?: unknown
  signal?: AbortSignal
}

export interface Answer {
  requestId: string
  /** The body's bytes as they arrive. Leaving the loop early closes the connection. */
  bytes: AsyncIterable<Uint8Array>
  /** The same bytes, pushed: for streams in which an iterator would cost more than the work on a piece. */
  listen(listener: Listener): Flow
  /** The error for a line or event inside the answer that says what went wrong. */
  errorOf(problem: unknown): ApiError
}

export interface Listener {
  onBytes(bytes: Buffer): void
  onEnd(): void
  onError(error: unknown): void
}

/** An answer on its way. After `close`, the listener hears nothing more and the connection is closed. */
export interface Flow {
  pause(): void
  resume(): void
  close(): void
}

export interface Transport {
  /** Makes the call and waits for the answer to begin. @throws {ParlandoError} for any status but 2xx. */
  send(call: Call): Promise<Answer>
  /** Makes the call and reads the whole answer as JSON. */
  sendForJson(call: Call): Promise<{ requestId: string; json: unknown }>
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
  const baseUrl = options.baseUrl.replace(/\/+$/, '')

  const send = async (call: Call): Promise<Answer> => {
    const requestId = randomUUID()
    const facts: RequestFacts = { ...call, baseUrl, requestId, options }
    call.signal?.throwIfAborted()
    try {
      const response = await request(baseUrl + call.path + queryString(call.query), {
        dispatcher: agent,
        method: call.method,
        signal: call.signal ?? null,
        headers: {
          accept: 'application/json',
          'x-request-id': requestId,
          ...(options.apiKey && { authorization: `Basic ${options.apiKey}` }),
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
      })
      const bytes = readBytes(response.body, facts)
      if (response.statusCode >= 200 && response.statusCode < 300) {
        const errorOf = (problem: unknown) => streamError(facts, problem)
        const listenTo = (listener: Listener) => listen(response.body, listener, facts)
        return { requestId, bytes, listen: listenTo, errorOf }
      }
      const body = await collect(bytes, maxErrorBytes)
      throw answerError(facts, response.statusCode, body?.toString('utf8') ?? '')
    } catch (error) {
      throw networkError(facts, error, 'before the answer')
    }
  }

  const sendForJson = async (call: Call) => {
    const { requestId, bytes } = await send(call)
    const body = await collect(bytes, options.maxAnswerBytes)
    if (!body) {
      throw new ProtocolError(
        `${call.what} failed: the answer is larger than the limit of ${options.maxAnswerBytes} bytes`,
        { code: 'ANSWER_TOO_LARGE', requestId },
      )
    }
    try {
      return { requestId, json: JSON.parse(body.toString('utf8')) as unknown }
    } catch {
      throw new ProtocolError(`${call.what} failed: the answer is not JSON`, {
        code: 'BAD_ANSWER',
        requestId,
      })
    }
  }

  return { send, sendForJson, close: () => agent.destroy() }
}

function listen(body: Readable, listener: Listener, facts: RequestFacts): Flow {
  body.on('data', listener.onBytes)
  body.once('end', listener.onEnd)
  body.once('error', (error) => listener.onError(networkError(facts, error, 'inside the answer')))
  return {
    pause: () => void body.pause(),
    resume: () => void body.resume(),
    close() {
      body.removeAllListeners('data')
      body.removeAllListeners('end')
      body.removeAllListeners('error')
      // Destroying it makes it fail, which nobody wants to hear of any more.
      body.on('error', () => {})
      body.destroy()
    },
  }
}

async function* readBytes(
  body: AsyncIterable<Uint8Array>,
  facts: RequestFacts,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const bytes of body) yield bytes
  } catch (error) {
    throw networkError(facts, error, 'inside the answer')
  }
}

/** @returns `undefined` when there is more than `maxBytes`; the rest is not read. */
async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const kept: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return undefined
    kept.push(chunk)
  }
  return Buffer.concat(kept)
}

function queryString(query: Call['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item))
    }
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}
