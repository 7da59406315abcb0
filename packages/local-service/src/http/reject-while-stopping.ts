import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'

/** Takes no new work once the service was told to stop; its health still tells so. */
export function rejectWhileStopping(isStopping: () => boolean): MiddlewareHandler {
  return async (context, next) => {
    if (isStopping() && context.req.path !== '/healthz') {
      throw new ServiceError('UNAVAILABLE', 'The service is stopping; try again soon')
    }
    await next()
  }
}
