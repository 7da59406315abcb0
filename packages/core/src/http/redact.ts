import { createRedactor } from '../wire/redact.ts'

const maxCharacters = 300

// White space, and what could change how a terminal or a log shows the text around it.
const unprintable = /[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu

/** The message of an error body on one line: without secrets, without the tags of an HTML page, and cut short. */
export function errorBodyText(error: {
  message: string
  /** Whether the body is an HTML page, such as a proxy sends. */
  isPage: boolean
  apiKey: string
  headers: Readonly<Record<string, string>>
}): string {
  const { message, isPage, apiKey, headers } = error
  // Unparsable bodies are quoted verbatim, so the secret may be escaped.
  const text = createRedactor([apiKey, ...Object.values(headers)])(message)
  // [^<>] keeps this linear: with [^>], each `<` would scan to the end again.
  return (isPage ? text.replace(/<[^<>]*>/g, ' ') : text)
    .replace(unprintable, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, maxCharacters)
}
