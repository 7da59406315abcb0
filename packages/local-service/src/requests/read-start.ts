/** Reads the body of a response as text: only the beginning if it is too long, takes too long or breaks off. */
export async function readStart(
  { body }: Response,
  { maxBytes, timeLimitMs }: { maxBytes: number; timeLimitMs: number },
): Promise<string> {
  const reader = body?.getReader()
  if (!reader) return ''
  const pieces: Uint8Array[] = []
  let bytes = 0
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), timeLimitMs)
  try {
    while (bytes <= maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      pieces.push(value)
      bytes += value.length
    }
  } catch {
    // A partial message says more than none.
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
  return Buffer.concat(pieces).toString('utf8')
}
