// Of both alphabets, with or without padding: services use all of them.
const base64 = /^[\w+/-]*(={0,2})$/

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

/** Reads a number that may be text, as 64-bit numbers are in the JSON of protocol buffers. @returns any other value unchanged. */
export function readNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

/** Whether a text is base64, also with white space. `Buffer.from` skips all other characters without an error. */
export function isBase64(text: string): boolean {
  const characters = text.replace(/\s+/g, '')
  const [, padding] = base64.exec(characters) ?? []
  // A last character on its own would be a part of a byte.
  return padding !== undefined && (characters.length - padding.length) % 4 !== 1
}

/** @returns the bytes, or `undefined` if the text is malformed. */
export function decodeBase64(text: string): Buffer | undefined {
  return isBase64(text) ? Buffer.from(text, 'base64') : undefined
}
