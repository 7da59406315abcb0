import type { Readable } from 'node:stream'
import { networkError, type RequestFacts } from './response-errors.ts'
import type { TimeLimit } from './time-limit.ts'

/** Calls back with the body's bytes, and rejects with its failures as errors of this package. */
export function consumeBytes(
  body: Readable,
  onBytes: (bytes: Buffer) => void,
  facts: RequestFacts,
  silence: TimeLimit,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const receive = (bytes: Buffer) => {
      silence.renew()
      try {
        onBytes(bytes)
      } catch (error) {
        body.removeListener('data', receive)
        reject(error)
      }
    }
    const fail = (error?: Error) => reject(networkError(facts, error, 'during the response'))
    body.on('data', receive)
    // Each of these events occurs once. `once` would cost each stream further memory.
    body.on('end', resolve)
    body.on('error', fail)
    // A decoder that is destroyed while more could arrive emits no error.
    body.on('close', () => {
      if (!body.readableEnded && !body.errored) fail()
    })
  })
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
