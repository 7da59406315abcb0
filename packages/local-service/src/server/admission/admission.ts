import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import { trustConnection } from '../connections/connections.ts'
import { isOnlyLocal } from '../open-port.ts'

// They reveal nothing private, and the monitors that request them have no key.
const openPaths = ['/healthz', '/openapi.yaml']

// Their addresses are signed.
const signedPaths = '/tts/v1/jobFiles/'

// Clients of the OpenAI API and Prometheus send a key as a bearer token.
const bearerPaths = /^\/(v1\/|metrics$)/

/**
 * Accepts only requests that carry the key as `Authorization: Basic <key>` or, below `/v1/` and for the metrics, as
 * `Bearer <key>`.
 */
export function authorize(apiKey: string): MiddlewareHandler {
  const expected = digest(`Basic ${apiKey}`)
  return async (context, next) => {
    const { path } = context.req
    const header = context.req.header('authorization') ?? ''
    const given = digest(bearerPaths.test(path) ? header.replace(/^Bearer /i, 'Basic ') : header)
    if (timingSafeEqual(given, expected)) trustConnection(context)
    else if (!openPaths.includes(path) && !path.startsWith(signedPaths)) {
      throw new ServiceError('UNAUTHENTICATED', 'The key is missing or wrong')
    }
    await next()
  }
}

/** A comparison in constant time needs inputs of equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Rejects requests of web pages to a service without a key. Otherwise every page that somebody opens on this machine
 * could use it: by a cross-origin request, which a browser sends without a preflight if the body is plain text, or
 * through a host name that resolves to this machine (DNS rebinding). Programs send no `Origin` and use a loopback name.
 * Browsers send no `Origin` for images and audio either, but `Sec-Fetch-Site`.
 */
export function rejectWebPages(allowOrigins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')
    if (host !== undefined && !isOnlyLocal(nameOf(host))) {
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

/** Rejects new requests while the service stops. `/healthz` still responds, with the status `stopping`. */
export function rejectWhileStopping(isStopping: () => boolean): MiddlewareHandler {
  return async (context, next) => {
    if (isStopping() && context.req.path !== '/healthz') {
      throw new ServiceError('UNAVAILABLE', 'The service is stopping; try again soon')
    }
    await next()
  }
}
