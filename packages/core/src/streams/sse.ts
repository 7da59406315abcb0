import { createParser } from 'eventsource-parser'

/** Reads server-sent events from bytes. */
export interface EventParser {
  /** Takes bytes cut anywhere, even inside a character. */
  push(bytes: Uint8Array): void
  /** Takes the end of the input. A last event counts even if the blank line after it is missing. */
  end(): void
  /** True after `[DONE]`. The parser ignores everything that follows. */
  readonly isDone: boolean
}

/** What to do with the events. */
export interface EventParserOptions {
  /** Longest event, in UTF-16 code units. */
  maxEventCharacters: number
  /** Called with the `data` of each complete event. */
  onEvent(data: string): void
  /** Makes the error that the parser throws. @param problem a clause. */
  toError(fault: 'too-long' | 'html', problem: string): Error
}

/**
 * Parses server-sent events. It ignores comments and other fields, but takes a line of bare JSON for data, because some
 * services write errors into the stream that way.
 * @throws {Error} of `toError`: for an event that is too long, after the valid events before it, and for an HTML page.
 */
export function createEventParser(options: EventParserOptions): EventParser {
  const { maxEventCharacters, onEvent, toError } = options
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

  const tooLong = () => {
    const problem = `an event in the response is longer than the limit of ${maxEventCharacters} characters`
    return toError('too-long', problem)
  }

  const feed = (text: string) => {
    if (isDone) return
    parser.feed(text)
    const complete = events
    events = []
    for (const data of complete) {
      // maxBufferSize limits only incomplete events; this limits those that arrive whole.
      if (data.length > maxEventCharacters) throw tooLong()
      if (data.startsWith('<')) {
        throw toError('html', 'the response is an HTML page instead of an event stream')
      }
      isDone = data.trim() === '[DONE]'
      if (isDone) return
      onEvent(data)
    }
    if (isTooLong) throw tooLong()
  }

  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`),
    get isDone() {
      return isDone
    },
  }
}
