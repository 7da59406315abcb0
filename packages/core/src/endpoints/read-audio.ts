import { badResponse, type RequestName } from '../protocol-errors.ts'
import { decodeBase64 } from '../wire/base64.ts'

/**
 * Decodes the audio of a response; empty if there is none.
 * @param request named by errors.
 * @throws {ProtocolError} `BAD_RESPONSE` if it is not base64.
 */
export function readAudio(request: RequestName, base64: string | null | undefined): Buffer {
  const audio = decodeBase64(base64 ?? '')
  if (!audio) throw badResponse(request, 'the audio in the response is not base64')
  return audio
}
