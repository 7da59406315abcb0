import { pageName } from '../page-server/page-name.ts'
import { askAdmin } from './ask-admin.ts'
import { type CanvasNode, notify, RED } from './red.ts'

/** The button of a node on the canvas, as on *inject*: visible while the node works, and stops it. */
export const stopButton = {
  visible(this: CanvasNode) {
    return isWorking(this)
  },
  onclick(this: CanvasNode) {
    askAdmin('stop', { id: this.id }).catch((error: Error) => notify(error.message, 'error'))
  },
}

type MicrophoneNode = CanvasNode & { kind: string; name: string }

/** The button of a microphone on the canvas: opens its page, and ends a recording. */
export const microphoneButton = {
  visible(this: MicrophoneNode) {
    return this.kind === 'page' || isWorking(this)
  },
  onclick(this: MicrophoneNode) {
    if (isWorking(this)) return stopButton.onclick.call(this)
    // This browser can reach the address of the editor.
    const root = (RED.settings.httpNodeRoot ?? '/').replace(/\/$/, '')
    const page = encodeURIComponent(pageName(this.name || 'microphone'))
    window.open(`${location.origin}${root}/parlando/microphone/${page}`, '_blank', 'noopener')
  },
}

/** Draws a node again when it begins or ends its work; Node-RED itself only draws its status. */
export function redrawButtons(): void {
  const working = new Set<string>()
  const redraw = (id: string) => {
    const node = RED.nodes.node(id) as CanvasNode | null
    if (!node?.type.startsWith('parlando-') || working.has(id) === isWorking(node)) return
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
