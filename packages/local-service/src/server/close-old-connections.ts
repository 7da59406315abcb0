import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'

/**
 * HTTP/1.0 has no chunked encoding, so a client would read the chunk lengths as part of the body. There, the end of the
 * connection marks the end of the body.
 */
export const closeOldConnections: MiddlewareHandler = async (context, next) => {
  await next()
  const incoming: IncomingMessage | undefined = context.env?.incoming
  if (incoming?.httpVersion === '1.0') context.res.headers.delete('transfer-encoding')
}
