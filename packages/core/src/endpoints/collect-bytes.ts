import { audioTooLarge } from '../protocol-errors.ts'
import type { Stream } from '../streams/stream.ts'

/**
 * Reads a whole stream of audio.
 * @param what the call, for the error.
 * @throws {ProtocolError} `RESPONSE_TOO_LARGE` above the limit.
 */
export async function collectBytes(
  stream: Pick<Stream<Uint8Array, Uint8Array>, 'consume' | 'requestId'>,
  what: string,
  maxBytes: number,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  await stream.consume((bytes) => {
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) {
      throw audioTooLarge({ what, requestId: stream.requestId }, maxBytes)
    }
    pieces.push(bytes)
  })
  return Buffer.concat(pieces)
}
