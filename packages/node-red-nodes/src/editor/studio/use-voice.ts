import type { Voice } from '@parlando/core'
import { isThisDevice } from '../../runtime/service-defaults.ts'
import { type CanvasNode, notify, RED, studioText } from '../red.ts'
import type { Studio } from './studio-service.ts'

/** A node with a voice. */
interface SpeakingNode extends CanvasNode {
  voice: string
  service: string
  changed?: boolean
  _def: { defaults: Record<string, unknown> }
}

/** Chooses a voice in the selected nodes. Says what to do if none of them speaks with the service of the voice. */
export function useVoice(studio: Studio, { voiceId, displayName }: Voice): void {
  const id = studio.service()?.id
  const selected = (RED.view.selection().nodes ?? []) as SpeakingNode[]
  const nodes = selected.filter(
    ({ type, service, _def }) =>
      type.startsWith('parlando-') &&
      'voice' in _def.defaults &&
      (isThisDevice(service) ? id === '' : service === id),
  )
  if (nodes.length === 0) {
    notify(studioText('own.select-nodes'), 'error')
    return
  }
  const events = nodes.map((node) => {
    const { voice, changed = false } = node
    Object.assign(node, { voice: voiceId, changed: true, dirty: true })
    return { t: 'edit', node, changes: { voice }, changed }
  })
  RED.history.push({ t: 'multi', events, dirty: RED.nodes.dirty() })
  RED.nodes.dirty(true)
  RED.view.redraw()
  const name = displayName || voiceId
  notify(studioText('own.used', { name, count: nodes.length }), 'success')
}
