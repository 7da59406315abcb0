import type { ReadableStream } from 'node:stream/web'
import { recogniseEncoding } from '@parlando/core/audio'
import { ConnectionError, TimeoutError } from '@parlando/core/errors'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { createSound, type GrowingSound, type Sound } from '../../sounds/sound.ts'

/** The longest wait for the first byte, and for each further chunk. */
const maxWaitMs = 10_000
/** As many bytes as the recognition of an encoding reads. */
const startBytes = 512

/**
 * Fetches a sound from an address. Its limits are those of every sound: 120 seconds, 32 MiB.
 * @returns as soon as the first bytes show the encoding; the sound grows with each chunk.
 * @throws {ConnectionError} `NOT_REACHABLE` or `CONNECTION_LOST`, a {@link TimeoutError} or a {@link NodeInputError}; the
 * reason of the signal after an abort.
 */
export async function fetchSound(
  address: string,
  signal: AbortSignal,
  RED: Pick<NodeAPI, '_'>,
): Promise<Sound> {
  // Without the path, which may contain a token.
  const { host } = new URL(address)
  const tooSlow = new AbortController()
  const timer = setTimeout(() => {
    const facts = { retryable: true, phase: 'next byte', timeoutMs: maxWaitMs } as const
    tooSlow.abort(new TimeoutError(RED._('play.error.too-slow', { host }), facts))
  }, maxWaitMs)
  const limited = AbortSignal.any([signal, tooSlow.signal])
  /** The error of `fetch` says only that it failed. */
  const failureOf = (cause: unknown, code: ConnectionError['code']) => {
    if (limited.aborted) return limited.reason
    const key = code === 'NOT_REACHABLE' ? 'not-reachable' : 'connection-lost'
    const message = RED._(`play.error.${key}`, { host })
    return new ConnectionError(message, { code, retryable: true, cause })
  }

  try {
    const response = await fetch(address, { signal: limited }).catch((error) => {
      throw failureOf(error, 'NOT_REACHABLE')
    })
    const { ok, status, headers, body } = response
    const chunks = withErrors(body, (error) => failureOf(error, 'CONNECTION_LOST'))
    const start = ok ? await readStart(chunks, timer) : Buffer.alloc(0)
    const audioEncoding = recogniseEncoding(start)
    if (!audioEncoding) {
      await chunks.return()
      const mediaType = headers.get('content-type') ?? '?'
      const [key, values] = ok ? ['not-audio', { host, mediaType }] : ['status', { host, status }]
      throw new NodeInputError(RED._(`play.error.${key}`, values))
    }
    // Files state their own rate.
    const sound = createSound({ audioEncoding, sampleRateHertz: 24_000 })
    appendAll(sound, start, chunks, timer)
      .catch(sound.fail)
      .finally(() => clearTimeout(timer))
    return sound
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

async function* withErrors(
  body: Response['body'],
  failureOf: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    // The types of browsers know no iterator here.
    if (body) yield* body as ReadableStream<Uint8Array>
  } catch (error) {
    throw failureOf(error)
  }
}

async function readStart(
  chunks: AsyncGenerator<Uint8Array, void>,
  timer: NodeJS.Timeout,
): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length < startBytes) {
    const { value, done } = await chunks.next()
    if (done) break
    timer.refresh()
    start = Buffer.concat([start, value])
  }
  return start
}

async function appendAll(
  sound: GrowingSound,
  start: Buffer,
  chunks: AsyncGenerator<Uint8Array, void>,
  timer: NodeJS.Timeout,
): Promise<void> {
  sound.append(start)
  for await (const chunk of chunks) {
    timer.refresh()
    sound.append(chunk)
  }
  sound.complete()
}
