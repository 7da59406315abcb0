import { askAdmin } from './admin.ts'
import { notify } from './notify.ts'
import { type CanvasNode, RED } from './red.ts'

/** The button of a node on the canvas, as on *inject*: visible while the node works, and stops it. */
export function stopButton() {
  return {
    visible(this: CanvasNode) {
      return isWorking(this)
    },
    onclick(this: CanvasNode) {
      askAdmin('stop', { id: this.id }).catch((error: Error) => notify(error.message, 'error'))
    },
  }
}

/** Draws a node of this type again when it begins or ends its work; Node-RED itself only draws its status. */
export function redrawStopButton(type: string): void {
  const working = new Set<string>()
  const redraw = (id: string) => {
    const node = RED.nodes.node(id) as CanvasNode | null
    if (node?.type !== type || working.has(id) === isWorking(node)) return
    if (isWorking(node)) working.add(id)
    else working.delete(id)
    node.dirty = true
    RED.view.redraw()
  }
  // Node-RED itself may only take the new status after this notification.
  RED.comms.subscribe('status/#', (topic) =>
    queueMicrotask(() => redraw(topic.replace('status/', ''))),
  )
}

/** A blue dot, or a yellow ring during a retry. */
function isWorking({ status }: CanvasNode): boolean {
  return status?.fill === 'blue' || (status?.fill === 'yellow' && status.shape === 'ring')
}
