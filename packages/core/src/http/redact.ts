const maxCharacters = 300

/** What a refusal says, as one line for an error: without the key, without the tags of a page, and cut short. */
export function errorBodyText(error: {
  message: string
  /** Whether it is a page of HTML, such as a proxy sends. */
  isPage: boolean
  apiKey: string
}): string {
  const { message, isPage, apiKey } = error
  const text = withoutKey(message, apiKey)
  // Trap: a tag that could hold another's beginning would be looked for once more at each of them.
  return (isPage ? text.replace(/<[^<>]*>/g, ' ') : text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, maxCharacters)
}

/** What cannot be read is told as it came, and there the key may be escaped: such a text is told as it reads. */
function withoutKey(message: string, apiKey: string): string {
  if (!apiKey) return message
  const told = message.replaceAll(apiKey, '***')
  const read = withoutEscapes(told)
  return read.includes(apiKey) ? read.replaceAll(apiKey, '***') : told
}

/** Undoes the escapes of JSON and of addresses. */
function withoutEscapes(text: string): string {
  return text.replace(/(?:\\u00|%)([\da-f]{2})|\\(.)/gi, (_, hex?: string, character = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : character,
  )
}
