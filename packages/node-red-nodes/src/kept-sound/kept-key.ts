import type { SpeechRequest } from '@parlando/core'
import { keptFormat } from './kept-format.ts'

/** A longer text is probably never said again. */
const maxTextCharacters = 10_000

/**
 * The key of the sound of a request.
 * @param place what the sound depends on besides the request.
 * @param pronounce returns the text that is spoken.
 * @returns nothing for a request that is too long, or is not JSON: the client rejects it.
 */
export async function keyOf(
  place: object,
  request: SpeechRequest,
  pronounce: (text: string) => string,
): Promise<string | undefined> {
  if (String(request.text).length > maxTextCharacters) return undefined
  // As JSON, a large Buffer would hold the event loop.
  if (Object.values(request).some(ArrayBuffer.isView)) return undefined
  // Imported on demand, like the client of the service.
  const { soundKey } = await import('@parlando/store')
  try {
    const spoken = pronounce(request.text)
    // Only then: the sound of all other texts stays when the list of words changes.
    const isRespelled = spoken !== request.text
    return soundKey({ keptFormat, place, request, ...(isRespelled && { spoken }) })
  } catch {
    return undefined
  }
}
