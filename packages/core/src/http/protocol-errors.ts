import { ProtocolError } from '../errors.ts'

/** @param problem a clause such as `the response is not JSON`. */
export function badResponse(what: string, problem: string, requestId?: string): ProtocolError {
  return new ProtocolError(`${what} failed: ${problem}`, { code: 'BAD_RESPONSE', requestId })
}

export function noAudio(what: string, requestId?: string): ProtocolError {
  const message = `${what} failed: the response contains no audio`
  return new ProtocolError(message, { code: 'NO_AUDIO', requestId })
}

export function audioTooLarge(what: string, maxBytes: number, requestId?: string): ProtocolError {
  const message = `${what} failed: the audio is larger than the limit of ${maxBytes} bytes`
  return new ProtocolError(message, { code: 'RESPONSE_TOO_LARGE', requestId })
}
