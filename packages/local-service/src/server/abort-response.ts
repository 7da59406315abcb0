import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'

/** Ends a response early because of an error. */
export type AbortResponse = (
  body: ReadableStreamDefaultController<Uint8Array>,
  error: Error,
) => void

/**
 * Closes the connection, so that the client does not take a partial response for a complete one. An error in the body
 * would do that too, but the server would write it to the console, including any text that it contains.
 */
export function createAbortResponse({ env }: Context): AbortResponse {
  const outgoing: ServerResponse | undefined = env?.outgoing
  return (body, error) => {
    if (!outgoing) return body.error(error)
    outgoing.destroy(new Error('The service aborted the response'))
    body.close()
  }
}
