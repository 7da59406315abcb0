// Of both alphabets, with or without padding: services use all of them.
const base64 = /^[\w+/-]*(={0,2})$/

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
