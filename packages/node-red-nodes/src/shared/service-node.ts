import type { Client } from '@parlando/core'
import type { Node } from 'node-red'

/** What the config node offers to the nodes that use it. */
export interface ServiceNode extends Node<{ apiKey?: string }> {
  /** The one client of this service; on this device, the service is started when it does not run. */
  connect(): Promise<Client>
  /** The voice for those who choose none: the first one that the service lists. */
  defaultVoiceId(signal: AbortSignal): Promise<string>
}
