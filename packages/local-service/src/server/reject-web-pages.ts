import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'
import { trustConnection } from './connections.ts'
import { isLoopback } from './loopback.ts'

/**
 * Rejects requests of web pages to a service without a key. Otherwise every page that somebody opens on this machine
 * could use it: by a cross-origin request, which a browser sends without a preflight if the body is plain text, or
 * through a host name that resolves to this machine (DNS rebinding). Programs send no `Origin` and use a loopback name.
 * Browsers send no `Origin` for images and audio either, but `Sec-Fetch-Site`.
 */
export function rejectWebPages(allowOrigins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')
    if (host !== undefined && !isLoopback(nameOf(host))) {
      const message = `Without a key, the service accepts requests only for localhost and loopback addresses, not for ${host}: set a key (--api-key)`
      throw new ServiceError('PERMISSION_DENIED', message)
    }
    const origin = context.req.header('origin')
    const isOwn = origin === undefined || origin === `http://${host}`
    if (!isOwn && !allowOrigins.includes(origin) && !allowOrigins.includes('*')) {
      const message = `Web pages of ${origin} may not use the service: allow it (--allow-origin)`
      throw new ServiceError('PERMISSION_DENIED', message)
    }
    const site = context.req.header('sec-fetch-site')
    const isForeign = origin === undefined && (site === 'cross-site' || site === 'same-site')
    if (isForeign && !allowOrigins.includes('*')) {
      const message =
        'Web pages may not use the service without an Origin: if its origin is allowed (--allow-origin), give the element the attribute crossorigin'
      throw new ServiceError('PERMISSION_DENIED', message)
    }
    trustConnection(context)
    await next()
  }
}

/** Removes the port, and the brackets of an IPv6 address. */
function nameOf(host: string): string {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name.replace(/^\[(.*)\]$/, '$1')
}
