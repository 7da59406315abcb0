import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from './failure.ts'
import { findService, type SpeechService } from './speech-service.ts'
import { sharedText } from './texts.ts'

/** The service of a node. @throws {NodeInputError} if the node names one that does not exist or is disabled. */
export function requireService(RED: NodeAPI, node: Node, serviceId: string): SpeechService {
  const service = findService(RED, node, serviceId)
  if (!service) throw new NodeInputError(sharedText(RED, 'error.no-service'))
  return service
}
