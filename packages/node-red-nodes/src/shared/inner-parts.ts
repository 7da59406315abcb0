import type { NodeMessageInFlow } from 'node-red'

type OuterParts = NodeMessageInFlow['parts']

/** `msg.parts` of a sequence made of one message. As in the core nodes, the parts of an outer sequence wait inside. */
export function innerParts<Parts extends { id: string }>(
  parts: Parts,
  outer: OuterParts,
): Parts & { parts?: OuterParts } {
  return { ...parts, ...(outer && { parts: outer }) }
}
