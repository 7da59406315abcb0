const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Reads the base64 of a request. @returns its bytes, or why it is malformed. */
export function readBase64(text: string): { bytes: Buffer } | { problem: string } {
  if (base64.test(text)) return { bytes: Buffer.from(text, 'base64') }
  if (text.startsWith('data:')) {
    return { problem: 'is a data: URL; send only the part after the comma' }
  }
  return { problem: 'is not base64; write it without spaces and line breaks' }
}
