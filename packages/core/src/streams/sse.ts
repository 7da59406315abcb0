import { createParser } from 'eventsource-parser'
import { ProtocolError } from '../errors.ts'

export interface EventParser {
  /** @returns the `data` of each event that is now complete. */
  push(bytes: Uint8Array): Generator<string, void>
  /** @returns the last event, when only its blank line is missing. */
  end(): Generator<string, void>
  /** True once `[DONE]` has come; what follows it is not read. */
  readonly isDone: boolean
}

/**
 * Reads server-sent events that may be cut anywhere, also inside a character. Comments and other fields are passed over;
 * a line of bare JSON is taken for data, because services put an error there when they forget what they are in.
 *
 * @param limits `maxEventCharacters`: the longest event, in UTF-16 code units. `requestId` goes into the errors.
 * @throws {ProtocolError} `LINE_TOO_LONG` after the good events before it, `BAD_RESPONSE` for a page of HTML.
 */
export function createEventParser(limits: {
  maxEventCharacters: number
  requestId?: string
}): EventParser {
  const { maxEventCharacters, requestId } = limits
  const decoder = new TextDecoder()
  let events: string[] = []
  let isDone = false
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ data }) => events.push(data),
    onError({ type, line = '' }) {
      if (type === 'max-buffer-size-exceeded') isTooLong = true
      else if (/^\s*[{<]/.test(line)) events.push(line)
    },
  })

  function* take(): Generator<string, void> {
    const taken = events
    events = []
    for (const data of taken) {
      if (isDone) return
      isDone = data.trim() === '[DONE]'
      // The parser's own limit is on what it holds back, so an event that came in one piece is measured here.
      if (data.length > maxEventCharacters) throw tooLong(limits)
      if (data.startsWith('<')) {
        throw new ProtocolError('The answer is a page, not a stream of events', {
          code: 'BAD_RESPONSE',
          requestId,
        })
      }
      if (!isDone) yield data
    }
    if (isTooLong && !isDone) throw tooLong(limits)
  }

  return {
    *push(bytes) {
      if (isDone) return
      parser.feed(decoder.decode(bytes, { stream: true }))
      yield* take()
    },
    *end() {
      if (isDone) return
      parser.feed(`${decoder.decode()}\n\n`)
      yield* take()
    },
    get isDone() {
      return isDone
    },
  }
}

function tooLong(limits: { maxEventCharacters: number; requestId?: string }): ProtocolError {
  const { maxEventCharacters, requestId } = limits
  return new ProtocolError(
    `An event of the answer is longer than the limit of ${maxEventCharacters} characters`,
    { code: 'LINE_TOO_LONG', requestId },
  )
}
