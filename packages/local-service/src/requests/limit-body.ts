import type { Context, MiddlewareHandler } from 'hono'
import { BusyError, ServiceError } from '../errors/service-error.ts'
import type { ResponseDuringRequest } from '../server/responses/response-during-request.ts'

/** Limits the size of all request bodies that the service holds at a time. */
export interface BodyBudget {
  /** Starts to count a body. */
  open(): CountedBody
}

export interface CountedBody {
  /** @throws {BusyError} if the bodies exceed the limit together. */
  add(bytes: number): void
  /** The body no longer counts. */
  release(): void
}

// Four of the largest. A parsed body takes a multiple of its size.
const maxTotalBytes = 144 * 1024 * 1024
const retryAfterSeconds = 2
/** A body of up to this length counts before it arrives, which spares it a stream. */
const smallBytes = 64 * 1024

export function createBodyBudget(maxBytes = maxTotalBytes): BodyBudget {
  let totalBytes = 0
  return {
    open() {
      let ownBytes = 0
      return {
        add(bytes) {
          if (totalBytes + bytes > maxBytes) {
            const message = `The requests in progress contain too much data; try again in ${retryAfterSeconds} s`
            throw new BusyError(message, retryAfterSeconds, 'UNAVAILABLE')
          }
          ownBytes += bytes
          totalBytes += bytes
        },
        release() {
          totalBytes -= ownBytes
          ownBytes = 0
        },
      }
    },
  }
}

/**
 * Rejects a larger body, a compressed one, and one that exceeds the budget. What has arrived of a body counts until its
 * handler responds. What was only announced does not: a client could announce much and send nothing.
 */
export function limitBody(maxBytes: number, budget: BodyBudget): MiddlewareHandler {
  const rejectTooLarge = (bytes: number) => {
    if (bytes <= maxBytes) return
    throw new ServiceError('INVALID_ARGUMENT', `The body is larger than ${maxBytes} bytes`, 413)
  }
  return async (context, next) => {
    rejectCompressed(context)
    const { raw } = context.req
    const length = Number(context.req.header('content-length') ?? Number.POSITIVE_INFINITY)
    if (Number.isFinite(length)) rejectTooLarge(length)
    inviteBody(context)
    const body = budget.open()
    try {
      if (length <= smallBytes) body.add(length)
      else if (raw.body) {
        const counted = raw.body.pipeThrough(countBytes(body, rejectTooLarge))
        context.req.raw = new Request(raw, { body: counted, duplex: 'half' } as RequestInit)
      }
      await next()
    } finally {
      body.release()
    }
  }
}

function countBytes(body: CountedBody, rejectTooLarge: (bytes: number) => void) {
  let bytes = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length
      rejectTooLarge(bytes)
      body.add(piece.length)
      controller.enqueue(piece)
    },
  })
}

/** A client that sends `Expect: 100-continue` waits for this. */
function inviteBody({ env }: Context): void {
  const outgoing: ResponseDuringRequest | undefined = env?.outgoing
  if (outgoing?.isInvitationAwaited) outgoing.writeContinue()
}

function rejectCompressed(context: Context): void {
  const encoding = context.req.header('content-encoding')?.trim() || 'identity'
  if (encoding.toLowerCase() === 'identity') return
  const message = `Content-Encoding: the service does not accept ${encoding}; send the body without compression`
  throw new ServiceError('INVALID_ARGUMENT', message, 415)
}
