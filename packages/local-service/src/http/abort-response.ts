import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'

/** Ends an answer in the middle for the reason of an error. */
export type BreakOff = (body: ReadableStreamDefaultController<Uint8Array>, error: Error) => void

/**
 * Ends the connection, so that nobody takes a part of an answer for the whole. A body that fails would do that too, but
 * the server writes such an error to the console, with all it says.
 */
export function createBreakOff({ env }: Context): BreakOff {
  const outgoing: ServerResponse | undefined = env?.outgoing
  return (body, error) => {
    if (!outgoing) return body.error(error)
    outgoing.destroy(new Error('The answer broke off'))
    body.close()
  }
}
