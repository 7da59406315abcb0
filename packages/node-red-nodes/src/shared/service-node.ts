import type { CallOptions, Client } from '@parlando/core'
import type { Node } from 'node-red'

/** What nodes use that leave a field of theirs empty. */
export interface ServiceDefaults {
  modelId: string
  audioEncoding: string
}

/** What the config node offers to the nodes that use it. */
export interface ServiceNode extends Node<{ apiKey?: string }> {
  defaults: ServiceDefaults
  /**
   * The one client of this service; on this device, the service is started when it does not run.
   * @param signal ends the wait for it, and not the start.
   */
  connect(signal: AbortSignal): Promise<Client>
  /** Starts the service of this device with the flow, since the first message would have to wait for it. */
  startAhead(): void
  /** The voice for those who choose none: the service's, else the first that it lists. */
  defaultVoiceId(call: CallOptions & { signal: AbortSignal }): Promise<string>
  /** Has the list asked for again: the voice that was its first may be gone. */
  forgetDefaultVoice(): void
}
