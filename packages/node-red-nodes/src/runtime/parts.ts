import type { NodeMessageInFlow } from 'node-red'

export type Parts = NodeMessageInFlow['parts']

/** `msg.parts` of a sequence made from one message. As in the core nodes, the parts of an outer sequence are kept inside. */
export function innerParts<Own extends { id: string }>(
  own: Own,
  outer: Parts,
): Own & { parts?: Parts } {
  return { ...own, ...(outer && { parts: outer }) }
}
