import { type IncomingMessage, ServerResponse } from 'node:http'
import { statusCodes } from '@parlando/core/wire'

// Node drops a body of this size and keeps the connection.
const smallBodyBytes = 64 * 1024
// Twice the largest body that the service accepts.
const maxDroppedBytes = 64 * 1024 * 1024
const dropLimitMs = 10_000
// Time for a client without the key to read the response, although it is still sending.
const unauthenticatedLimitMs = 1000

/**
 * A response that the service may send before the request has arrived, such as the rejection of a large body. It then
 * says that the connection will close, and closes it when the rest of the request has arrived and was dropped, or at a
 * limit. Trap: a connection that closes with unread bytes is reset, and a client that is still sending may lose the
 * response. Without the key, nothing more is read.
 */
export class ResponseDuringRequest<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Whether everything was sent, although the connection still waits for the rest of the request. */
  isSent = false
  #isInvited = false
  #isDuringRequest = false
  #isEnding = false

  /** Whether the client sends the body only after `writeContinue`. */
  get isInvitationAwaited(): boolean {
    return /100-continue/i.test(this.req.headers.expect ?? '') && !this.#isInvited
  }

  override writeContinue(onSent?: () => void): void {
    this.#isInvited = true
    super.writeContinue(onSent)
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const hasRest = isUnauthenticated(status) ? !hasArrived(this.req) : isLargeRest(this.req)
    if (hasRest) this.shouldKeepAlive = false
    // Nothing arrives from a client that waits for an invitation.
    this.#isDuringRequest = hasRest && !this.isInvitationAwaited
    return super.writeHead(status, ...(rest as []))
  }

  override end(data?: unknown, ...rest: unknown[]): this {
    if (!this.#isDuringRequest) return super.end(data, ...(rest as []))
    if (this.#isEnding) return this
    this.#isEnding = true
    this.write(data ?? '', () => {
      this.isSent = true
    })
    const limitMs = isUnauthenticated(this.statusCode) ? unauthenticatedLimitMs : dropLimitMs
    const timer = setTimeout(() => super.end(), limitMs)
    // Emitted after the end of the request, and when the client disconnects.
    this.req.once('close', () => {
      clearTimeout(timer)
      super.end()
    })
    if (!isUnauthenticated(this.statusCode)) dropRest(this.req, () => super.end())
    return this
  }
}

function isUnauthenticated(status: number): boolean {
  return status === statusCodes.UNAUTHENTICATED.httpStatus
}

function isLargeRest(request: IncomingMessage): boolean {
  const isSmall = Number(request.headers['content-length']) <= smallBodyBytes
  return !isSmall && !hasArrived(request)
}

/** Node reports the end of a request without a body only after its headers. */
function hasArrived({ complete, headers }: IncomingMessage): boolean {
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
  return complete || !hasBody
}

function dropRest(request: IncomingMessage, onTooLarge: () => void): void {
  let droppedBytes = 0
  // A reader that has stopped would keep the data, or pause the request.
  request.removeAllListeners('data')
  request.on('data', (data: Buffer) => {
    droppedBytes += data.length
    if (droppedBytes > maxDroppedBytes) onTooLarge()
  })
  request.resume()
}
