import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { BusyError, ServiceError } from '../errors.ts'

/** Limits the size of all request bodies that the service holds at a time. */
export interface BodyBudget {
  /**
   * Counts a body until the returned function is called.
   * @throws {BusyError} if it exceeds the limit together with the others.
   */
  acquire(bytes: number): () => void
}

// Four of the largest. A parsed body takes a multiple of its size.
const maxTotalBytes = 144 * 1024 * 1024
const retryAfterSeconds = 2

export function createBodyBudget(maxBytes = maxTotalBytes): BodyBudget {
  let heldBytes = 0
  return {
    acquire(bytes) {
      if (heldBytes + bytes > maxBytes) {
        const message = `The requests in progress contain too much data; try again in ${retryAfterSeconds} s`
        throw new BusyError(message, retryAfterSeconds, 'UNAVAILABLE')
      }
      heldBytes += bytes
      return () => {
        heldBytes -= bytes
      }
    },
  }
}

/**
 * Rejects a larger body, a compressed one, and one that exceeds the budget. A body counts until its handler responds; one
 * of unknown length counts with the limit until it was read.
 */
export function limitBody(maxBytes: number, budget: BodyBudget): MiddlewareHandler {
  const limitOne = bodyLimit({
    maxSize: maxBytes,
    onError() {
      throw new ServiceError('INVALID_ARGUMENT', `The body is larger than ${maxBytes} bytes`)
    },
  })
  return async (context, next) => {
    rejectCompressed(context)
    const length = context.req.header('content-length')
    let release = budget.acquire(Math.min(Number(length ?? maxBytes), maxBytes))
    try {
      return await limitOne(context, async () => {
        if (length === undefined) {
          const { byteLength } = await context.req.arrayBuffer()
          release()
          release = budget.acquire(byteLength)
        }
        await next()
      })
    } finally {
      release()
    }
  }
}

function rejectCompressed(context: Context): void {
  const encoding = context.req.header('content-encoding')?.trim() || 'identity'
  if (encoding.toLowerCase() === 'identity') return
  const message = `Content-Encoding: the service does not accept ${encoding}; send the body without compression`
  throw new ServiceError('INVALID_ARGUMENT', message, 415)
}
