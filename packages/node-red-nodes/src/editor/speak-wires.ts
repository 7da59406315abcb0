import { findChunkProblem } from '../shared/whole-audio.ts'
import { type CanvasNode, RED, type Wire } from './red.ts'

const outputPort = 0

function wiresOf(node: CanvasNode): Wire[] {
  return RED.nodes.getNodeLinks(node, outputPort)
}

function next(node: CanvasNode): CanvasNode[] {
  if (node.type !== 'link out') return wiresOf(node).map(({ target }) => target)
  return (node.links ?? []).flatMap((id) => (RED.nodes.node(id) as CanvasNode | null) ?? [])
}

/** What goes wrong if this *speak* node sends chunks. */
export function chunkProblemOf(speak: CanvasNode) {
  return findChunkProblem(next(speak), next)
}

/** Puts a *join* node into the wires over which chunks would do harm. The user can undo it. */
export function insertJoin(speak: CanvasNode): void {
  const harmful = wiresOf(speak).filter(({ target }) => findChunkProblem([target], next))
  const [first] = harmful
  if (!first) return
  const { target } = first
  // Below the wire where there is no room between the nodes.
  const hasRoom = target.x - speak.x > 300
  const x = hasRoom ? (speak.x + target.x) / 2 : speak.x
  const y = hasRoom ? (speak.y + target.y) / 2 : speak.y + 60
  const { node: join, historyEvent } = RED.view.createNode('join', x, y, speak.z)
  const added = [
    { source: speak, sourcePort: 0, target: join },
    ...harmful.map(({ target }) => ({ source: join, sourcePort: 0, target })),
  ]
  RED.nodes.add(join)
  for (const wire of harmful) RED.nodes.removeLink(wire)
  for (const wire of added) RED.nodes.addLink(wire)
  RED.history.push({ ...historyEvent, links: added, removedLinks: harmful })
  RED.nodes.dirty(true)
  RED.view.redraw(true)
}
