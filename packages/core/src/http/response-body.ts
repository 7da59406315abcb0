import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { ErrorCode } from '../errors.ts'
import type { Sink, StreamControl } from '../streams/sink.ts'
import { networkError, type RequestFacts } from './response-errors.ts'
import { codeOf } from './trace.ts'

const decoders: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The body as it was before it was compressed; we do not ask for that, but a proxy may do it. */
export function decodedBody(body: Readable, contentEncoding: string | undefined): Readable {
  const decoder = decoders.get(contentEncoding?.trim().toLowerCase() ?? '')
  // Either stream tells its own error; this callback only keeps it from being thrown.
  return decoder ? pipeline(body, decoder(), () => {}) : body
}

/** The code of the error by which a body ended that did not end by itself. */
export function endingOf(body: Readable, facts: RequestFacts): ErrorCode | undefined {
  if (!body.readableAborted) return undefined
  const { errored } = body
  // Node and undici make an AbortError of a body that is left, or none at all.
  const isLeft = !errored || errored.name === 'AbortError'
  return isLeft ? 'ABORTED' : codeOf(networkError(facts, errored, 'during the response'))
}

/** Pushes the body's bytes into the sink. */
export function pushBytes(body: Readable, sink: Sink<Buffer>, facts: RequestFacts): StreamControl {
  body.on('data', sink.next)
  body.once('end', sink.end)
  body.once('error', (error) => sink.error(networkError(facts, error, 'during the response')))
  return {
    pause: () => void body.pause(),
    resume: () => void body.resume(),
    close() {
      body.removeListener('data', sink.next)
      body.removeListener('end', sink.end)
      // Destroying the body makes it emit an error, which nobody waits for any more.
      body.removeAllListeners('error')
      body.on('error', () => {})
      body.destroy()
    },
  }
}

/** The body's bytes, with its failures as errors of this package. */
export async function* readBytes(
  body: Readable,
  facts: RequestFacts,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const bytes of body) yield bytes
  } catch (error) {
    throw networkError(facts, error, 'during the response')
  }
}

/** @returns `undefined` when there is more than `maxBytes`; the rest is not read. */
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

/** The first `maxBytes`, or what came of them before the chunks failed. */
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
    // How it failed tells less than the status that came before it.
  }
  return Buffer.concat(kept).subarray(0, maxBytes)
}
