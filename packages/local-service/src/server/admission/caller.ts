import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

// The name of a value in the context of a request.
const addressKey = 'callerAddress'

/**
 * Who sends a request: an address and what it gives as its key, in a form from which nobody can read the key. Behind a proxy that
 * is not trusted, all callers have its address.
 */
export function callerOf(context: Context): string {
  const address: string = context.get(addressKey) ?? addressOf(context)
  return `${address} ${hashedKeyOf(context)}`
}

/** What a request gives as its key, in a form from which nobody can read the key. */
export function hashedKeyOf({ req }: Context): string {
  const hash = createHash('sha256').update(req.header('authorization') ?? '')
  return hash.digest('base64url').slice(0, 16)
}

/** The address of the connection; empty without one, in tests. */
export function addressOf({ env }: Context): string {
  const incoming: IncomingMessage | undefined = env?.incoming
  return incoming?.socket.remoteAddress ?? ''
}

/** Notes the address that a trusted proxy has stated. */
export function noteCallerAddress(context: Context, address: string): void {
  context.set(addressKey, address)
}
