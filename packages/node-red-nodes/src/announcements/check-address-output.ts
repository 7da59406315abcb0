import type { Node } from 'node-red'
import { NodeInputError } from '../runtime/failure.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'

/** The output of a node that sends the address of each sound to the node of a player. */
export interface AddressOutput {
  /** @throws {NodeInputError} if the node does not have this output, or nothing is wired to it. */
  check(speakerName: string): void
  send(message: Record<string, unknown>): void
}

/** What Node-RED's types leave out. */
type WiredNode = Node & { wires?: string[][] }

/**
 * Checks the output for addresses. The editor adds it when somebody chooses such a speaker in the form of the node; the flow
 * may lack it where a message names the speaker.
 * @param port the number of the output, from 0.
 */
export function checkAddressOutput(RED: Texts, node: Node, port: number, speaker: string): void {
  const { wires = [] } = node as WiredNode
  const targets = wires[port]
  if (targets && targets.length > 0) return
  const key = targets ? 'address-output-unwired' : 'no-address-output'
  throw new NodeInputError(sharedText(RED, `error.${key}`, { speaker }))
}
