import { ApiError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import { healthSchema } from '../../wire/health.ts'
import type { EndpointContext } from '../response-source.ts'

/** `GET /healthz` of the local service. @returns nothing for a service that does not state its version, as hosted ones. */
export async function serviceVersion(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<string | undefined> {
  const request = { method: 'GET', path: '/healthz' } as const
  try {
    const { data } = await transport.sendForJson(healthSchema, request, call)
    return data.version ?? undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}
