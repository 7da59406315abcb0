/**
 * Parses JSON from the other side. JSON has no `undefined`, so this value cannot be part of a message.
 * @returns `undefined` if the text is not JSON. The error of `JSON.parse` is dropped because its message quotes the text.
 */
export function parseJson(text: string): unknown {
  try {
    // Some servers begin a body with a byte-order mark.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch {
    return undefined
  }
}
