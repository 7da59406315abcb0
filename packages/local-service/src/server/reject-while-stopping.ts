import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'

/** Rejects new requests while the service stops. `/healthz` still responds, with the status `stopping`. */
export function rejectWhileStopping(isStopping: () => boolean): MiddlewareHandler {
  return async (context, next) => {
    if (isStopping() && context.req.path !== '/healthz') {
      throw new ServiceError('UNAVAILABLE', 'The service is stopping; try again soon')
    }
    await next()
  }
}
