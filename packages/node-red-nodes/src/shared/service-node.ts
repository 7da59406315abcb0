import type { CallOptions, Client } from '@parlando/core'
import type { Node } from 'node-red'

/** The settings that apply where a node leaves its own empty. */
export interface ServiceDefaults {
  modelId: string
  audioEncoding: string
}

/** The interface of the service node for the nodes that use it. */
export interface ServiceNode extends Node<{ apiKey?: string }> {
  defaults: ServiceDefaults
  /**
   * The one client of this service. Starts the service on this device if it is not running.
   * @param signal Ends the wait, not the start.
   */
  connect(signal: AbortSignal): Promise<Client>
  /** Starts the service on this device together with the flow, so that the first message need not wait for it. */
  startAhead(): void
  /** The voice of the service, or the first voice that it lists. */
  defaultVoiceId(call: CallOptions & { signal: AbortSignal }): Promise<string>
  /** Called with the error of a failed request: it can show that the cached default voice no longer exists. */
  noteFailure(error: unknown): void
}
