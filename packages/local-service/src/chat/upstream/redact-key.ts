import { createRedactor, longestSpelling } from '@parlando/core/wire'

/** Removes the key of the upstream from everything that the upstream sends, because callers must not get it. */
export interface KeyRedactor {
  redact(text: string): string
  /** Redacts a text that arrives in pieces. */
  createStream(): RedactingStream
}

export interface RedactingStream {
  /** @returns the part of the text that cannot contain the beginning of a key. */
  push(text: string): string
  /** @returns the rest. */
  end(): string
}

export function createKeyRedactor(apiKey: string): KeyRedactor {
  const redact = createRedactor([apiKey])
  const maxHeld = longestSpelling(apiKey)
  return {
    redact,
    createStream() {
      let held = ''
      return {
        push(text) {
          held = redact(held + text)
          // A key contains no line break, so a complete event is not delayed.
          const lineStart = Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r')) + 1
          const end = Math.max(lineStart, held.length - maxHeld)
          const ready = held.slice(0, end)
          held = held.slice(end)
          return ready
        },
        end: () => held,
      }
    },
  }
}
