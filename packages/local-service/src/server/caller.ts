import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/**
 * Who sends a request: an address and what it gives as its key, in a form from which nobody can read the key. Behind a proxy,
 * all callers have its address.
 */
export function callerOf({ env, req }: Context): string {
  const incoming: IncomingMessage | undefined = env?.incoming
  const key = createHash('sha256').update(req.header('authorization') ?? '')
  return `${incoming?.socket.remoteAddress ?? ''} ${key.digest('base64url').slice(0, 16)}`
}
