import type { WakeWordStreamConfig } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import {
  createWakeWordListener,
  type WakeWordListener,
  type WakeWordListenerOptions,
} from '../../microphones/wake-word/wake-word-listener.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { findService } from '../../runtime/find-service.ts'
import { trimmedText } from '../../runtime/saved-settings.ts'
import { sharedText } from '../../runtime/texts.ts'

/** Settings of the form. A hand-written flow may leave each out, or set it to any value. */
export interface WakeWordDef {
  service?: unknown
  /** What people say. */
  wakeWord?: unknown
  /** The model that finds it. Empty: the service chooses. */
  wakeWordModel?: unknown
  sensitivity?: unknown
}

/** Opens a listener for one microphone. */
export type OpenWakeWordListener = (
  reports: Pick<WakeWordListenerOptions, 'onWaiting' | 'onWake' | 'onProblem'>,
) => WakeWordListener

/** Every local service with the built-in voices finds it, and it was missed least often. */
const defaultWakeWord = 'Hey Jarvis'

const sensitivities: Readonly<Record<string, number>> = { low: 0.25, normal: 0.5, high: 0.75 }

/** @throws {NodeInputError} of the result, if the node names a service that does not exist or is disabled. */
export function wakeWordListeners(
  RED: NodeAPI,
  node: Node,
  def: WakeWordDef,
): OpenWakeWordListener {
  const config: WakeWordStreamConfig = {
    phrases: [trimmedText(def.wakeWord) || defaultWakeWord],
    sensitivity: sensitivities[trimmedText(def.sensitivity)] ?? 0.5,
    ...(trimmedText(def.wakeWordModel) && { modelId: trimmedText(def.wakeWordModel) }),
  }
  const service = findService(RED, node, trimmedText(def.service))
  return (reports) => {
    if (!service) throw new NodeInputError(sharedText(RED, 'error.no-service'))
    return createWakeWordListener({ ...reports, service, config })
  }
}
