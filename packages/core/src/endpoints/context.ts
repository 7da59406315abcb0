import type { Transport } from '../http/transport.ts'
import type { ResolvedOptions } from '../options.ts'

/** What every endpoint works with. An endpoint is a function of `(context, request, call)`. */
export interface EndpointContext {
  transport: Transport
  options: ResolvedOptions
}
