import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../../errors/service-error.ts'
import { endWithJson } from '../responses/end-with-response.ts'
import { endAfterResponses } from './connections.ts'

/** What Node reports about bytes that it cannot read as a request. */
interface ClientError extends Error {
  code?: string
  /** What the parser says. */
  reason?: string
}

/**
 * Rejects what is not a request with an error of the protocol, after the responses to the requests before it. By default,
 * Node sends a response without a body, in place of the response to an earlier request.
 */
export function rejectMalformed(server: Server, maxHeadBytes: number): void {
  const rejected = new WeakSet<Socket>()
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const problem = problemOf(error, maxHeadBytes)
    if (!problem || !socket.writable) return void socket.destroy()
    // The parser reports all further bytes, too.
    if (rejected.has(socket)) return
    rejected.add(socket)
    socket.pause()
    const { body, httpStatus } = problem
    endAfterResponses(socket, () => endWithJson(socket, httpStatus, body))
  })
}

/** @returns `undefined` if the connection was lost. */
function problemOf({ code = '', reason = '' }: ClientError, maxHeadBytes: number) {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `The headers of the request are larger than ${maxHeadBytes} bytes`
    return new ServiceError('INVALID_ARGUMENT', message, 431)
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('DEADLINE_EXCEEDED', 'The request did not arrive in time', 408)
  }
  if (!code.startsWith('HPE_')) return undefined
  const message = `The request is not HTTP/1.1 as this service reads it${reason && `: ${reason}`}`
  const isLarge = code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
  return new ServiceError('INVALID_ARGUMENT', message, isLarge ? 413 : 400)
}
