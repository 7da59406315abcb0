import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'

/** HTTP/1.0 knows no chunks, and would read their lengths as part of the answer: there the connection's end is its end. */
export const closeOldConnections: MiddlewareHandler = async (context, next) => {
  await next()
  const incoming: IncomingMessage | undefined = context.env?.incoming
  if (incoming?.httpVersion === '1.0') context.res.headers.delete('transfer-encoding')
}
