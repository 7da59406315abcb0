import { ProtocolError } from '../../errors.ts'

export function noAudio(requestId?: string): ProtocolError {
  const message = 'Speech failed: the response contains no audio'
  return new ProtocolError(message, { code: 'NO_AUDIO', requestId })
}

export function audioTooLarge(maxBytes: number, requestId?: string): ProtocolError {
  const message = `Speech failed: the audio is larger than the limit of ${maxBytes} bytes`
  return new ProtocolError(message, { code: 'RESPONSE_TOO_LARGE', requestId })
}
