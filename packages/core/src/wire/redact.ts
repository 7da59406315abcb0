const replacement = '***'

// The text of a shorter key may be part of any sentence. To replace it there would even reveal the key.
const minCharacters = 8

const htmlNames: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
}

/**
 * Makes a function that replaces secrets in a text. It also finds a secret whose characters are escaped for JSON (also
 * several times, as in JSON inside a JSON string), for a URL or for HTML, so it needs no parsed text: it takes any part of
 * a message, and JSON stays JSON. It takes linear time.
 * @param secrets Those of fewer than 8 characters are ignored.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const searched = secrets.filter((secret) => secret.length >= minCharacters)
  if (searched.length === 0) return (text) => text
  const pattern = new RegExp(searched.map(patternOf).join('|'), 'g')
  return (text) => text.replace(pattern, replacement)
}

/** The length of a secret if every character is escaped in the longest common form, such as `\u002B` inside a JSON string. */
export function longestSpelling(secret: string): number {
  return secret.length * '\\\\u002B'.length
}

function patternOf(secret: string): string {
  const tokens = secret.match(/\\+|[^\\]/g) ?? []
  return tokens
    .map((token, index) => {
      // One expression for a whole row of backslashes: two would share it in every possible way.
      if (token.startsWith('\\'))
        return `${index === 0 ? '(?<!\\\\)' : ''}(?:\\\\|${escapes('\\')})+`
      // A row of backslashes is searched once, from its start.
      const before =
        index === 0 ? '(?<!\\\\)\\\\*' : tokens[index - 1]!.startsWith('\\') ? '' : '\\\\*'
      return `${before}(?:${escaped(token)}|${escapes(token)})`
    })
    .join('')
}

/** The forms of a character in JSON (after the backslash), in a URL and in HTML. */
function escapes(character: string): string {
  const code = character.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const name = htmlNames[character]
  const forms = [`u00${anyCase}`, `%${anyCase}`, `&#[xX]0{0,4}${anyCase};`, `&#0{0,4}${code};`]
  return [...forms, ...(name ? [`&${name};`] : [])].join('|')
}

function escaped(character: string): string {
  return /[\w\s]/.test(character) ? character : `\\${character}`
}
