const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** @returns the bytes of a text in base64, or why it is malformed. */
export function decodeBase64(text: string): { bytes: Buffer } | { problem: string } {
  if (base64.test(text)) return { bytes: Buffer.from(text, 'base64') }
  if (text.startsWith('data:')) {
    return { problem: 'is a data: URL; send only the part after the comma' }
  }
  return { problem: 'is not base64; write it without spaces and line breaks' }
}
