import { pageName } from '../shared/page-name.ts'
import { type CanvasNode, RED } from './red.ts'
import { stopButton } from './stop-button.ts'

type MicrophoneNode = CanvasNode & { kind: string; name: string }

/** The button of a microphone on the canvas: opens its page, and ends a recording. */
export function microphoneButton() {
  const stop = stopButton()
  return {
    visible(this: MicrophoneNode) {
      return this.kind === 'page' || stop.visible.call(this)
    },
    onclick(this: MicrophoneNode) {
      if (stop.visible.call(this)) return stop.onclick.call(this)
      // At the address of the editor, which this browser can reach.
      const root = (RED.settings.httpNodeRoot ?? '/').replace(/\/$/, '')
      const page = encodeURIComponent(pageName(this.name || 'microphone'))
      window.open(`${location.origin}${root}/parlando/microphone/${page}`, '_blank', 'noopener')
    },
  }
}
