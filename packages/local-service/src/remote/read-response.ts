import { createEventParser } from '@parlando/core/sse'
import { readProblem } from '@parlando/core/wire'
import { ServiceError } from '../errors/service-error.ts'

/** Reads the body of a response as text: only the beginning if it is too long, takes too long or breaks off. */
export async function readErrorText(
  { body }: Response,
  { maxBytes, timeLimitMs }: { maxBytes: number; timeLimitMs: number },
): Promise<string> {
  const reader = body?.getReader()
  if (!reader) return ''
  const pieces: Uint8Array[] = []
  let bytes = 0
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), timeLimitMs)
  try {
    while (bytes <= maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      pieces.push(value)
      bytes += value.length
    }
  } catch {
    // A partial message says more than none.
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Reads the body of a response as text. @throws {Error} if it is longer than the limit, or breaks off. */
export async function readLimitedText({ body }: Response, maxBytes: number): Promise<string> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    pieces.push(read.value)
    bytes += read.value.length
    if (bytes <= maxBytes) continue
    await reader?.cancel()
    throw new Error('its response is too long')
  }
  return Buffer.concat(pieces).toString('utf8')
}

export interface EventReading {
  /** The subject of errors, such as `The language model`. */
  subject: string
  maxEventCharacters: number
  /** Called at `[DONE]`, which ends the events. */
  onDone?(): void
}

/** How long a server may take to end its response after `[DONE]`. If it does so, the connection serves the next request too. */
const lingerMs = 200

/**
 * Reads a response as server-sent events, and cancels it when the reader stops.
 * @returns the data of each event. @throws {ServiceError} for an event that is too long, and for an HTML page.
 */
export async function* readEvents(
  { body }: Response,
  { subject, maxEventCharacters, onDone }: EventReading,
): AsyncGenerator<string, void> {
  const events: string[] = []
  const parser = createEventParser({
    maxEventCharacters,
    onEvent: (data) => events.push(data),
    toError(fault) {
      const sent = fault === 'html' ? 'a web page' : 'an event that is too long'
      return new ServiceError('UNAVAILABLE', `${subject} sent ${sent}`)
    },
  })
  const reader = body?.getReader()
  let linger: NodeJS.Timeout | undefined
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parser.push(part.value)
      yield* events.splice(0)
      if (parser.isDone)
        linger ??= setTimeout(() => void reader?.cancel().catch(() => {}), lingerMs)
    }
    parser.end()
    yield* events
    if (parser.isDone) onDone?.()
  } finally {
    clearTimeout(linger)
    // This also stops a server that is still writing.
    await reader?.cancel()
  }
}

const maxCharacters = 300
// An unclosed element matches up to the end of the text. Without `|$`, each `<` would start another search for its end:
// quadratic time, which would block the service for seconds.
const tags = /<(style|script|head)\b.*?(?:<\/\1>|$)|<[a-z/!][^>]*(?:>|$)/gis

/** The message in the error body of another server, on one line and without HTML. Empty if it has none. */
export function problemText(body: unknown): string {
  return readProblem(body)
    .message.replace(tags, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxCharacters)
}
