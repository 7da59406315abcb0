import type { ResolvedOptions } from '../http/options.ts'
import type { Transport } from '../http/transport.ts'
import type { SpareBuffer } from '../streams/line-reader.ts'

/** The dependencies of every endpoint. An endpoint is a function of `(context, request, call)`. */
export interface EndpointContext {
  transport: Transport
  options: ResolvedOptions
  /** Shared by the speech streams of the client. */
  spare: SpareBuffer
}
