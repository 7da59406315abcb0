import type { NodeMessageInFlow } from 'node-red'

type Parts = NodeMessageInFlow['parts']

/** Parts of a new sequence made of one message: as the core nodes do it, an outer sequence waits inside the inner one. */
export function innerParts(parts: object, outer: Parts): object {
  return { ...parts, ...(outer && { parts: outer }) }
}
