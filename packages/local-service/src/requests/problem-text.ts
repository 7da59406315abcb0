import { readProblem } from '@parlando/core/wire'

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
