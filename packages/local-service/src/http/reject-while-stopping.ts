import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../errors.ts'

/** Takes no new work once the service was told to stop; its health still tells so. */
export function refuseWhileStopping(isStopping: () => boolean): MiddlewareHandler {
  return async (context, next) => {
    if (isStopping() && context.req.path !== '/healthz') {
      throw new Refusal('UNAVAILABLE', 'The service is stopping; try again soon')
    }
    await next()
  }
}
