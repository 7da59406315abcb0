import { recogniseEncoding } from '@parlando/core/audio'
import { ConnectionError, InputError, TimeoutError } from '@parlando/core/errors'
import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import { createSound, type GrowingSound, type Sound } from '../../sounds/sound.ts'

/** The longest wait for the first byte, and for each further chunk. */
const maxWaitMs = 10_000
/** The recognition of an encoding reads this many bytes. */
const startBytes = 512

/**
 * Fetches a sound of any length from an address, no faster than it is played. It follows no redirect to another host.
 * @returns as soon as the first bytes show the encoding; the sound grows with each chunk.
 * @throws {ConnectionError} `NOT_REACHABLE` or `CONNECTION_LOST`, a {@link TimeoutError}, an {@link InputError} or a {@link
 * NodeInputError}; the reason of the signal after an abort.
 */
export async function fetchSound(address: string, signal: AbortSignal, RED: Texts): Promise<Sound> {
  // Errors name the host, without the path, which may contain a token.
  const { host } = new URL(address)
  const tooSlow = new AbortController()
  const wait = createWait(() => {
    const facts = { retryable: true, phase: 'next byte', timeoutMs: maxWaitMs } as const
    tooSlow.abort(new TimeoutError(RED._('play.error.too-slow', { host }), facts))
  })
  const limited = AbortSignal.any([signal, tooSlow.signal])
  const failureOf = (cause: unknown, code: ConnectionError['code']) => {
    if (limited.aborted) return limited.reason
    if (InputError.isInstance(cause)) return cause
    const key = code === 'NOT_REACHABLE' ? 'not-reachable' : 'connection-lost'
    const message = RED._(`play.error.${key}`, { host })
    return new ConnectionError(message, { code, retryable: true, cause })
  }

  let close = () => {}
  try {
    const { openAddress } = await import('@parlando/core')
    const response = await openAddress(address, limited).catch((error) => {
      throw failureOf(error, 'NOT_REACHABLE')
    })
    close = response.close
    const { status, mediaType = '?', redirectHost, body } = response
    const rejected = (key: string, values: object) =>
      new NodeInputError(RED._(`play.error.${key}`, { host, ...values }))
    if (redirectHost) throw rejected('redirect', { redirectHost })
    if (status < 200 || status > 299) throw rejected('status', { status })
    const chunks = withErrors(body, (error) => failureOf(error, 'CONNECTION_LOST'))
    const start = await readFirstBytes(chunks, wait)
    const audioEncoding = recogniseEncoding(start)
    if (!audioEncoding) throw rejected('not-audio', { mediaType })
    // Files state their own rate.
    const sound = createSound({ audioEncoding, sampleRateHertz: 24_000 })
    appendAll(sound, start, chunks, { wait, signal })
      .catch((error) => sound.fail(error))
      .finally(wait.stop)
    return sound
  } catch (error) {
    wait.stop()
    close()
    throw error
  }
}

/** The wait for the next bytes. It does not include the time for which the sound waits to be played. */
function createWait(onOver: () => void) {
  let timer = setTimeout(onOver, maxWaitMs)
  const stop = () => clearTimeout(timer)
  return {
    stop,
    start() {
      stop()
      timer = setTimeout(onOver, maxWaitMs)
    },
  }
}

type Wait = ReturnType<typeof createWait>

async function* withErrors(
  body: AsyncIterable<Uint8Array>,
  failureOf: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* body
  } catch (error) {
    throw failureOf(error)
  }
}

async function readFirstBytes(
  chunks: AsyncGenerator<Uint8Array, void>,
  wait: Wait,
): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length < startBytes) {
    const { value, done } = await chunks.next()
    if (done) break
    wait.start()
    start = Buffer.concat([start, value])
  }
  return start
}

async function appendAll(
  sound: GrowingSound,
  start: Buffer,
  chunks: AsyncGenerator<Uint8Array, void>,
  { wait, signal }: { wait: Wait; signal: AbortSignal },
): Promise<void> {
  sound.append(start)
  for await (const chunk of chunks) {
    wait.stop()
    sound.append(chunk)
    await sound.room(signal)
    wait.start()
  }
  sound.complete()
}
