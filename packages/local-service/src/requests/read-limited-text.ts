/** Reads the body of a response as text. @throws {Error} if it is longer than the limit, or breaks off. */
export async function readLimitedText({ body }: Response, maxBytes: number): Promise<string> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    pieces.push(read.value)
    bytes += read.value.length
    if (bytes <= maxBytes) continue
    await reader?.cancel()
    throw new Error('its response is too long')
  }
  return Buffer.concat(pieces).toString('utf8')
}
