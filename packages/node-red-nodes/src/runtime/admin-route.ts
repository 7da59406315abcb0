import type { NodeAPI } from 'node-red'
import { describeFailure, toFailure } from './failure.ts'

export type AdminHandler = (
  body: Record<string, unknown>,
  /** Aborted when the editor has disconnected. */
  signal: AbortSignal,
) => Promise<unknown>

/** A field of a query or a body, which may be an object without a text form. @returns an empty text for other values. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Adds a route for the editor, `POST parlando/<path>`, which responds with JSON; a failure is `{ error: { code, message } }`
 * with status 422.
 */
export function addAdminRoute(
  RED: NodeAPI,
  path: string,
  permission: string,
  handle: AdminHandler,
): void {
  RED.httpAdmin.post(
    `/parlando/${path}`,
    RED.auth.needsPermission(permission),
    async (request, response) => {
      const disconnected = new AbortController()
      response.on('close', () => disconnected.abort())
      try {
        response.json(await handle(request.body ?? {}, disconnected.signal))
      } catch (error) {
        if (disconnected.signal.aborted) return
        response.status(422).json({ error: describeFailure(toFailure(error)) })
      }
    },
  )
}
