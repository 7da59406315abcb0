import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'
import { isLoopback } from './loopback.ts'

/**
 * Keeps web pages away from a service without a key. Otherwise any page that somebody on this machine opens could use
 * it: by a request to another origin, which a browser sends without asking when the body is plain text, or through a
 * name of its own that it points at this machine (DNS rebinding). Programs send no `Origin`, and call the machine by
 * its name.
 */
export function rejectWebPages(allowOrigins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')
    if (host !== undefined && !isLoopback(nameOf(host))) {
      const message = `Without a key the service answers to localhost and 127.0.0.1 alone, not to ${host}: set a key (--api-key)`
      throw new ServiceError('PERMISSION_DENIED', message)
    }
    const origin = context.req.header('origin')
    const isOwn = origin === undefined || origin === `http://${host}`
    if (!isOwn && !allowOrigins.includes(origin) && !allowOrigins.includes('*')) {
      const message = `Web pages of ${origin} may not use the service: allow it (--allow-origin)`
      throw new ServiceError('PERMISSION_DENIED', message)
    }
    await next()
  }
}

/** Without the port, and an IPv6 address without its brackets. */
function nameOf(host: string): string {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name.replace(/^\[(.*)\]$/, '$1')
}
