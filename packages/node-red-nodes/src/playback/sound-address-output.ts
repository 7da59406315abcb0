import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from '../runtime/failure.ts'
import type { Send } from '../runtime/input.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'

/** The output of a node that sends the address of each sound to the node of a player. */
export interface AddressOutput {
  /** @throws {NodeInputError} if the node does not have this output, or nothing is wired to it. */
  check(speakerName: string): void
  send(message: Record<string, unknown>): void
}

interface AddressOutputOptions<Message> {
  node: Node
  /** The number of the output, from 0. */
  port: number
  /** The message that began the sound; each address is sent in a copy. */
  message: Message
  send: Send<Message>
  /** Aborted when the node is closed: it must not send anything from then on. */
  closed: AbortSignal
}

export function createAddressOutput<Message extends NodeMessageInFlow>(
  RED: NodeAPI,
  { node, port, message, send, closed }: AddressOutputOptions<Message>,
): AddressOutput {
  return {
    check: (speaker) => checkWires(RED, node, port, speaker),
    send(properties) {
      if (closed.aborted) return
      const before = Array<null>(port).fill(null)
      send([...before, Object.assign(RED.util.cloneMessage(message), properties)])
    },
  }
}

/** What Node-RED's types leave out. */
type WiredNode = Node & { wires?: string[][] }

/**
 * The editor adds the output when somebody chooses such a speaker in the form of the node; the flow may lack it where a message
 * names the speaker.
 */
function checkWires(RED: Texts, node: Node, port: number, speaker: string): void {
  const { wires = [] } = node as WiredNode
  const targets = wires[port]
  if (targets && targets.length > 0) return
  const key = targets ? 'address-output-unwired' : 'no-address-output'
  throw new NodeInputError(sharedText(RED, `error.${key}`, { speaker }))
}
