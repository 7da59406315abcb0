const maxCharacters = 300

/** What a refusal says, as one line for an error: without the key, without the tags of a page, and cut short. */
export function refusalText(refusal: {
  message: string
  /** Whether it is a page of HTML, such as a proxy sends. */
  isPage: boolean
  apiKey: string
}): string {
  const { message, isPage, apiKey } = refusal
  const text = withoutKey(message, apiKey)
  // Trap: a tag that could hold another's beginning would be looked for once more at each of them.
  return (isPage ? text.replace(/<[^<>]*>/g, ' ') : text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, maxCharacters)
}

function withoutKey(message: string, apiKey: string): string {
  return apiKey ? message.replaceAll(apiKey, '***') : message
}
