import type { ResolvedOptions } from '../http/options.ts'
import type { Transport } from '../http/transport.ts'

/** What every endpoint works with. An endpoint is a function of `(context, request, call)`. */
export interface EndpointContext {
  transport: Transport
  options: ResolvedOptions
}
