const maxCharacters = 300
// A shorter header value is not a secret, and its text may occur anywhere.
const minSecretCharacters = 8

/** The message of an error body on one line: without secrets, without the tags of an HTML page, and cut short. */
export function errorBodyText(error: {
  message: string
  /** Whether the body is an HTML page, such as a proxy sends. */
  isPage: boolean
  apiKey: string
  headers: Readonly<Record<string, string>>
}): string {
  const { message, isPage, apiKey, headers } = error
  const values = Object.values(headers).filter((value) => value.length >= minSecretCharacters)
  const text = [apiKey, ...values].reduce(withoutSecret, message)
  // [^<>] keeps this linear: with [^>], each `<` would scan to the end again.
  return (isPage ? text.replace(/<[^<>]*>/g, ' ') : text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, maxCharacters)
}

/** Unparsable bodies are quoted verbatim and may contain the secret escaped, so this also looks behind escapes. */
function withoutSecret(message: string, secret: string): string {
  if (!secret) return message
  const redacted = message.replaceAll(secret, '***')
  const unescaped = withoutEscapes(redacted)
  return unescaped.includes(secret) ? unescaped.replaceAll(secret, '***') : redacted
}

/** Undoes the escapes of JSON and of URLs. */
function withoutEscapes(text: string): string {
  return text.replace(/(?:\\u00|%)([\da-f]{2})|\\(.)/gi, (_, hex?: string, character = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : character,
  )
}
