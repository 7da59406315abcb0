import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { ApiError, ErrorCode, ProtocolError } from '../errors.ts'
import { badResponse, type RequestName } from '../protocol-errors.ts'
import type { StreamControl } from '../streams/sink.ts'
import type { Attempt } from './attempt.ts'
import { consumeBytes, readBytes, readStart } from './read-body.ts'
import {
  networkError,
  type RequestFacts,
  responseError,
  streamError,
  waitedTooLong,
} from './response-errors.ts'
import type { TimeLimit } from './time-limit.ts'
import { codeOf } from './trace.ts'

/** A response with a status of 2xx whose body has yet to be read. */
export interface HttpResponse extends Required<RequestName>, StreamControl {
  /** The `Content-Type` header, or an empty text. */
  contentType: string
  /** @param name in small letters. @returns the value of another header. */
  header(name: string): string | undefined
  /** The body's bytes as they arrive. Leaving the loop early closes the connection. */
  bytes(): AsyncIterable<Uint8Array>
  /**
   * Calls back with the same bytes, for streams in which an iterator would cost more than the work on a chunk. Resolves at
   * the end of the body; an error that `onBytes` throws rejects.
   */
  consume(onBytes: (bytes: Buffer) => void): Promise<void>
  /** The error for an error that the body contains, such as a line or an event of a stream. */
  errorOf(problem: unknown): ApiError
  /** The error for a body that violates the protocol. @param problem a clause such as `the response is not JSON`. */
  bad(problem: string): ProtocolError
  /** Closes the connection unless the body has ended. @param error the reason; only the debug hook receives its code. */
  close(error?: unknown): void
}

const maxErrorBytes = 64 * 1024

type Decoder = NodeJS.ReadWriteStream & Readable

/** The encodings and their decoders. Node before 22.15 has none for zstd. */
const decoders = new Map<string, (() => Decoder) | undefined>([
  ['gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  ['zstd', (zlib as { createZstdDecompress?: () => Decoder }).createZstdDecompress],
])

/** @param aborts the signals that end the attempt. @throws {ApiError} for every status except 2xx. */
export async function openResponse(
  response: Dispatcher.ResponseData,
  { facts, timeLimit, trace }: Attempt,
  aborts: AbortSignal | undefined,
): Promise<HttpResponse> {
  const { statusCode: status, headers } = response
  const encoding = header(headers, 'content-encoding')
  const decoded = decodedBody(response.body, encoding)
  const body: Readable = decoded ?? response.body.on('error', () => {}).destroy()
  limitSilence(body, facts, timeLimit)
  if (status < 200 || status > 299) {
    const start = decoded ? await readStart(decoded, maxErrorBytes) : Buffer.alloc(0)
    aborts?.throwIfAborted()
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
    consume: (onBytes) => consumeBytes(body, onBytes, facts, timeLimit),
    pause() {
      timeLimit.suspend()
      body.pause()
    },
    resume() {
      timeLimit.renew()
      body.resume()
    },
    errorOf: (problem) => streamError(facts, problem),
    bad: (problem) => badResponse(facts, problem),
    close(error) {
      trace.end(error === undefined ? undefined : codeOf(error))
      body.destroy()
    },
  }
}

function limitSilence(body: Readable, facts: RequestFacts, timeLimit: TimeLimit): void {
  const { silenceTimeoutMs } = facts.options
  const error = () => waitedTooLong(facts, 'next byte', silenceTimeoutMs)
  // Bytes that wait for a slow reader are not silence.
  const hasBytes = () => body.readableLength > 0
  timeLimit.start(silenceTimeoutMs, error, hasBytes)
}

/**
 * Decompresses the body. The client asks for no compression, but a proxy may compress.
 * @returns `undefined` if this version of Node cannot decompress it.
 */
function decodedBody(body: Readable, contentEncoding: string | undefined): Readable | undefined {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  if (!decoders.has(encoding)) return body
  const decoder = decoders.get(encoding)
  // Both streams emit their own errors; without this callback, Node would throw them.
  return decoder && pipeline(body, decoder(), () => {})
}

/** The error code of a body that ended early; `undefined` for a complete one. */
function endingOf(body: Readable, facts: RequestFacts): ErrorCode | undefined {
  if (!body.readableAborted) return undefined
  const { errored } = body
  // If the reader stops early, Node and undici report an AbortError or no error.
  const isAborted = !errored || errored.name === 'AbortError'
  return isAborted ? 'ABORTED' : codeOf(networkError(facts, errored, 'during the response'))
}

/** The first value of a header. */
export function header(
  headers: Record<string, string | string[] | undefined>,
  name: string,
): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
