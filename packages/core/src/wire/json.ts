/**
 * Parses JSON from the other side. JSON has no `undefined`, so this value cannot be part of a message.
 * @returns `undefined` if the text is not JSON. The error of `JSON.parse` is dropped because its message quotes the text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
