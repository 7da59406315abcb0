import type { Node, NodeAPI, NodeDef } from 'node-red'
import { packageState } from './package-state.ts'

/** A node that runs, with the settings of its form. */
export interface RunningNode<Def extends NodeDef = NodeDef> {
  /** In a subflow, `_alias` is its id in the definition of the subflow, and `z` that of the instance. */
  node: Node & { _alias?: string }
  config: Def
}

// The nodes of each type are in a bundle of their own.
const runningNodes = packageState('runningNodes', () => new Set<RunningNode>())

/** Lets other nodes find a node, once its constructor has returned and until it is closed. */
export function noteRunning(node: Node, config: NodeDef): void {
  const running = { node, config }
  runningNodes.add(running)
  node.on('close', () => {
    runningNodes.delete(running)
  })
}

/**
 * The nodes that `noteRunning` was called for, in the order of the flows. Unlike `RED.nodes.eachNode`, which knows the definition
 * of a subflow, it has the nodes of each instance, in the order of the instances. A deploy of some nodes does not change the order.
 */
export function findRunning<Def extends NodeDef>(
  RED: Pick<NodeAPI, 'nodes'>,
  isWanted: (config: Def) => boolean,
): RunningNode<Def>[] {
  const places = new Map<string, number>()
  RED.nodes.eachNode(({ id }) => places.set(id, places.size))
  const placeOf = (id: string) => places.get(id) ?? places.size
  return (
    ([...runningNodes] as RunningNode<Def>[])
      // Node-RED closes no node whose constructor has failed, and another one in this process may have nodes of its own.
      .filter(({ node, config }) => isWanted(config) && RED.nodes.getNode(node.id) === node)
      .sort(
        ({ node: one }, { node: other }) =>
          placeOf(one._alias ?? one.id) - placeOf(other._alias ?? other.id) ||
          placeOf(one.z) - placeOf(other.z) ||
          one.id.localeCompare(other.id, 'en'),
      )
  )
}
