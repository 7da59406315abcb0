/** Images and sound are part of a result as well. */
export const maxMessageBytes = 8 * 1024 * 1024
/** Lists and objects have at most this many values: more would hold the event loop while they are parsed and checked. */
const maxValues = 15_000

/** A server has sent more than a message may have. */
export class TooLargeError extends Error {}

const [quote, backslash, lineFeed, carriageReturn] = Buffer.from('"\\\n\r')
const beforeValues = new Set(Buffer.from('[{,'))

/**
 * Counts the bytes of a message and the values of its JSON, or of the JSON in its events.
 * @param isPerLine whether each line is a message. Default: everything is one message.
 * @returns a function for the bytes as they arrive. @throws {TooLargeError} above the limits.
 */
export function createMessageLimit({ isPerLine = false } = {}): (chunk: Uint8Array) => void {
  let bytes = 0
  let values = 0
  let isInText = false
  let isEscaped = false
  return (chunk) => {
    for (const byte of chunk) {
      bytes += 1
      // A text in JSON has no line break, so a quotation mark elsewhere in an event does not hide what follows.
      if (byte === lineFeed || byte === carriageReturn) {
        isInText = isEscaped = false
        if (isPerLine) bytes = values = 0
      } else if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = isInText
      else if (byte === quote) isInText = !isInText
      else if (!isInText && beforeValues.has(byte)) values += 1
      if (bytes > maxMessageBytes) {
        throw new TooLargeError(`the response is larger than ${maxMessageBytes} bytes`)
      }
      if (values > maxValues) {
        throw new TooLargeError(`the response has more than ${maxValues} values`)
      }
    }
  }
}
