import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from './failure.ts'
import { packageState } from './package-state.ts'
import { isThisDevice } from './service-defaults.ts'
import type { OpenService, ProblemReport, ServiceNode, SpeechService } from './speech-service.ts'
import { sharedText } from './texts.ts'

/** The service on this device for nodes that select no service, or cannot use theirs. It is open while such nodes exist. */
interface ThisDevice {
  open(report: ProblemReport): OpenService
  service?: OpenService | undefined
  nodes: Set<Node>
}

const shared = packageState(
  'thisDevice',
  (): { thisDevice?: ThisDevice; standIn?: ThisDevice } => ({}),
)

/** The service of a node. @returns nothing if the node names a service that does not exist or is disabled. */
export function findService(
  RED: NodeAPI,
  node: Node,
  serviceId: string,
): SpeechService | undefined {
  if (isThisDevice(serviceId)) return serve(shared.thisDevice, node)
  const named = RED.nodes.getNode(serviceId) as ServiceNode | null
  // A hand-written flow may name any node.
  return typeof named?.connect === 'function' ? named : undefined
}

/** The service of a node. @throws {NodeInputError} if the node names one that does not exist or is disabled. */
export function requireService(RED: NodeAPI, node: Node, serviceId: string): SpeechService {
  const service = findService(RED, node, serviceId)
  if (!service) throw new NodeInputError(sharedText(RED, 'error.no-service'))
  return service
}

/** The service on this device in place of the service of a node that is away. */
export function findStandIn(node: Node): SpeechService | undefined {
  return serve(shared.standIn, node)
}

/**
 * Called by the service node when Node-RED loads it.
 * @param open Opens the service on this device.
 * @param openStandIn Opens it in place of a service that is away.
 */
export function provideThisDevice(open: ThisDevice['open'], openStandIn = open): void {
  shared.thisDevice = { open, nodes: new Set() }
  shared.standIn = { open: openStandIn, nodes: new Set() }
}

function serve(device: ThisDevice | undefined, node: Node): SpeechService | undefined {
  if (!device) return undefined
  const { nodes } = device
  nodes.add(node)
  // Without a configuration node, the first node shows the problems of the service.
  device.service ??= device.open({
    warn: (warning) => [...nodes][0]?.warn(warning),
    error: (error) => [...nodes][0]?.error(error),
  })
  return device.service
}

/** Called when a node that may use this device closes. The service closes after the last one. */
export async function leaveThisDevice(node: Node): Promise<void> {
  await Promise.all([leave(shared.thisDevice, node), leave(shared.standIn, node)])
}

async function leave(device: ThisDevice | undefined, node: Node): Promise<void> {
  if (!device?.nodes.delete(node) || device.nodes.size > 0) return
  const closing = device.service
  device.service = undefined
  await closing?.close()
}
