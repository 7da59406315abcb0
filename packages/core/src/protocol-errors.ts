import { ProtocolError } from './errors.ts'

/** A request as its errors name it. */
export interface RequestName {
  /** The kind of call, or the purpose that the caller named. */
  what: string
  requestId?: string
}

/** @param problem a clause such as `the response is not JSON`. */
export function badResponse(request: RequestName, problem: string): ProtocolError {
  return protocolError(request, 'BAD_RESPONSE', problem)
}

/** @param problem a clause such as `a line in the response is longer than the limit of 9 bytes`. */
export function lineTooLong(request: RequestName, problem: string): ProtocolError {
  return protocolError(request, 'LINE_TOO_LONG', problem)
}

/** @param problem a clause such as `the response is larger than the limit of 9 bytes`. */
export function responseTooLarge(request: RequestName, problem: string): ProtocolError {
  return protocolError(request, 'RESPONSE_TOO_LARGE', problem)
}

export function audioTooLarge(request: RequestName, maxBytes: number): ProtocolError {
  return responseTooLarge(request, `the audio is larger than the limit of ${maxBytes} bytes`)
}

/** For one of several streams of a connection, which its reader must not hold back. */
export function unread(request: RequestName, maxBytes: number): ProtocolError {
  const problem = `${maxBytes} bytes of this context wait for their reader; read each context while it is spoken, or close it`
  return responseTooLarge(request, problem)
}

export function noAudio(request: RequestName): ProtocolError {
  return protocolError(request, 'NO_AUDIO', 'the response contains no audio')
}

function protocolError(
  { what, requestId }: RequestName,
  code: ProtocolError['code'],
  problem: string,
): ProtocolError {
  return new ProtocolError(`${what} failed: ${problem}`, { code, requestId })
}
