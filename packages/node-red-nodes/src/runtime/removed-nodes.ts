import type { NodeAPI } from 'node-red'
import { stateOf } from './package-state.ts'

/** What a deploy has taken away. */
export interface Removal {
  /** The ids of the nodes, tabs and subflows that somebody has deleted. */
  deletedIds: readonly string[]
  /** Whether a node is not there after the deploy: it was deleted, or it, its tab or its subflow was disabled. */
  isRemoved(nodeId: string): boolean
  /** Whether somebody has deleted a node. Node-RED says of a disabled one that it was removed, too, but it may be enabled again. */
  isDeleted(nodeId: string): boolean
}

/** What Node-RED reports when it stops flows: for a deploy, to load them again, or at its end. */
interface FlowsStopping {
  config?: { flows?: readonly { id: string }[] } | null
  diff?: { removed?: readonly string[] }
}

interface Removals {
  latest: Removal
  readonly listeners: Set<(removal: Removal) => void>
}

/** @returns a function that tells what the deploy that closes nodes now takes away. */
export function followRemovals(RED: Pick<NodeAPI, 'events'>): () => Removal {
  const removals = removalsOf(RED)
  return () => removals.latest
}

/** Calls back after each deploy that has taken nodes away, when all of them are closed. Those that were disabled before are among them. */
export function onRemoval(
  RED: Pick<NodeAPI, 'events'>,
  listener: (removal: Removal) => void,
): void {
  removalsOf(RED).listeners.add(listener)
}

function removalsOf({ events }: Pick<NodeAPI, 'events'>): Removals {
  // All nodes share one listener: Node warns of a leak from eleven on.
  return stateOf(events, 'removals', () => {
    const removals: Removals = { latest: readRemoval({}), listeners: new Set() }
    events.on('flows:stopping', (stopping: FlowsStopping = {}) => {
      removals.latest = readRemoval(stopping)
    })
    events.on('flows:stopped', ({ diff }: FlowsStopping = {}) => {
      if (!diff?.removed?.length) return
      for (const listener of removals.listeners) listener(removals.latest)
    })
    return removals
  })
}

function readRemoval({ config, diff }: FlowsStopping): Removal {
  const removedIds = diff?.removed ?? []
  const defined = new Set(config?.flows?.map(({ id }) => id))
  const deletedIds = removedIds.filter((id) => !defined.has(id))
  return {
    deletedIds,
    isRemoved: (nodeId) =>
      removedIds.includes(nodeId) || (!defined.has(nodeId) && isPartOf(nodeId, removedIds)),
    isDeleted: (nodeId) => !isDefined(nodeId, defined) && isPartOf(nodeId, deletedIds),
  }
}

/** Whether a node has one of the ids. That of a node in a subflow consists of the id of the instance and of its own in the subflow. */
function isPartOf(nodeId: string, ids: readonly string[]): boolean {
  return ids.some((id) => `-${nodeId}-`.includes(`-${id}-`))
}

/** Whether the flows have a node. The ids of a hand-written flow may contain hyphens, too. */
function isDefined(nodeId: string, defined: ReadonlySet<string>): boolean {
  if (defined.has(nodeId)) return true
  // A hand-written flow may give a node any JSON as its id. If this throws, Node-RED never deploys again.
  if (typeof nodeId !== 'string') return false
  for (let at = nodeId.indexOf('-'); at >= 0; at = nodeId.indexOf('-', at + 1)) {
    if (defined.has(nodeId.slice(at + 1)) && isDefined(nodeId.slice(0, at), defined)) return true
  }
  return false
}
