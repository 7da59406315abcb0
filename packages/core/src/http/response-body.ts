import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import type { ErrorCode } from '../errors.ts'
import type { Sink, StreamControl } from '../streams/sink.ts'
import { networkError, type RequestFacts } from './response-errors.ts'
import type { TimeLimit } from './time-limit.ts'
import { codeOf } from './trace.ts'

type Decoder = NodeJS.ReadWriteStream & Readable

/** The encodings and their decoders. Node before 22.15 has none for zstd. */
const decoders = new Map<string, (() => Decoder) | undefined>([
  ['gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  ['zstd', (zlib as { createZstdDecompress?: () => Decoder }).createZstdDecompress],
])

/**
 * Decompresses the body. The client asks for no compression, but a proxy may compress.
 * @returns `undefined` if this version of Node cannot decompress it.
 */
export function decodedBody(
  body: Readable,
  contentEncoding: string | undefined,
): Readable | undefined {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  if (!decoders.has(encoding)) return body
  const decoder = decoders.get(encoding)
  // Both streams emit their own errors; without this callback, Node would throw them.
  return decoder && pipeline(body, decoder(), () => {})
}

/** The error code of a body that ended early; `undefined` for a complete one. */
export function endingOf(body: Readable, facts: RequestFacts): ErrorCode | undefined {
  if (!body.readableAborted) return undefined
  const { errored } = body
  // If the reader stops early, Node and undici report an AbortError or no error.
  const isAborted = !errored || errored.name === 'AbortError'
  return isAborted ? 'ABORTED' : codeOf(networkError(facts, errored, 'during the response'))
}

/** Pushes the body's bytes into the sink. An error that `next` or `end` of the sink throws goes to its `error`. */
export function pushBytes(
  body: Readable,
  sink: Sink<Buffer>,
  facts: RequestFacts,
  silence: TimeLimit,
): StreamControl {
  const receive = (bytes: Buffer) => {
    silence.renew()
    try {
      sink.next(bytes)
    } catch (error) {
      sink.error(error)
    }
  }
  const end = () => {
    try {
      sink.end()
    } catch (error) {
      sink.error(error)
    }
  }
  body.on('data', receive)
  // Each of these events occurs once. `once` would cost each stream further memory.
  body.on('end', end)
  const fail = (error?: Error) => sink.error(networkError(facts, error, 'during the response'))
  // A decoder that is destroyed while more could arrive emits no error.
  const close = () => {
    if (!body.readableEnded && !body.errored) fail()
  }
  body.on('error', fail)
  body.on('close', close)
  return {
    pause() {
      silence.suspend()
      body.pause()
    },
    resume() {
      silence.renew()
      body.resume()
    },
    close() {
      body.removeListener('data', receive)
      body.removeListener('end', end)
      body.removeListener('close', close)
      // Destroying the body emits an error, which would be thrown without a listener.
      body.removeAllListeners('error')
      body.on('error', () => {})
      body.destroy()
    },
  }
}

/** Yields the body's bytes, and throws its failures as errors of this package. */
export async function* readBytes(
  body: Readable,
  facts: RequestFacts,
  silence: TimeLimit,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const bytes of body) {
      silence.renew()
      yield bytes
    }
  } catch (error) {
    throw networkError(facts, error, 'during the response')
  }
}

/** Reads all chunks. @returns `undefined` if they exceed `maxBytes`; the rest is not read. */
export async function collect(
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

/** Reads the first `maxBytes`, or the bytes before a failure. */
export async function readStart(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes >= maxBytes) break
    }
  } catch {
    // The status of the response says more than this failure.
  }
  return Buffer.concat(kept).subarray(0, maxBytes)
}
