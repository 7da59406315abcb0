import type { LoadedFlow, Message } from '../runtime.ts'

/** The wires of a node under test, to the nodes that `surroundingNodes` adds. */
export const outputWires = [['out', 'join']]

/** The nodes around the node under test: `out` and a Join behind its output, and a Catch and a Complete node for it. */
export function surroundingNodes(nodeId: string): object[] {
  const place = { z: 'tab' }
  const scope = [nodeId]
  return [
    { ...place, id: 'out', type: 'helper' },
    { ...place, id: 'join', type: 'join', mode: 'auto', accumulate: true, wires: [['joined']] },
    { ...place, id: 'joined', type: 'helper' },
    { ...place, id: 'catch', type: 'catch', scope, wires: [['caught']] },
    { ...place, id: 'caught', type: 'helper' },
    { ...place, id: 'complete', type: 'complete', scope, wires: [['completed']] },
    { ...place, id: 'completed', type: 'helper' },
  ]
}

/** Sends a message to the node and waits until the node is done. @returns all messages that the node has sent so far. */
export async function send(flow: LoadedFlow, nodeId: string, message: Message): Promise<Message[]> {
  const before = flow.received('completed').length
  flow.node(nodeId).receive(message)
  await flow.waitFor('completed', before + 1)
  return flow.received('out')
}

/** A message from the Catch node. */
export type CaughtMessage = Message & {
  error: { message: string; code: string; stack?: string; cause: Record<string, unknown> }
}

/** Sends a message to the node and waits for the resulting error. @returns the message from the Catch node. */
export async function sendAndCatch(
  flow: LoadedFlow,
  nodeId: string,
  message: Message,
): Promise<CaughtMessage> {
  const before = flow.received('caught').length
  flow.node(nodeId).receive(message)
  return (await flow.waitFor('caught', before + 1)).at(-1) as CaughtMessage
}
