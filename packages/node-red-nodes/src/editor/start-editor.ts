import { createPlayerId, createSpeakerClient } from '../pages/speaker-client.ts'
import { type BrowserCommand, editorTopic } from '../speakers/browser/commands.ts'
import { markSpeakOutputs } from './fields/output-field.ts'
import { redrawButtons } from './node-buttons.ts'
import type { NodeForm } from './node-form.ts'
import { RED } from './red.ts'
import { type PaletteEntry, registerForm } from './register-form.ts'
import { followSpeakerKinds } from './speakers/address-output.ts'
import { addStudioTab } from './studio-tab.ts'

const styleSheet = 'resources/@parlando/node-red/editor.css'

/**
 * Offers the HTML of the nodes `Parlando.registerType`, and starts what does not belong to a form. The editor runs the bundle for
 * every node. The first run serves all of them, since forms share lists of voices and ids of fields.
 */
export function startEditor(forms: Readonly<Record<string, NodeForm<object>>>): void {
  if ('Parlando' in globalThis) return
  const registerType = (type: string, entry: PaletteEntry) =>
    registerForm(type, forms[type]!, entry)
  Object.assign(globalThis, { Parlando: { registerType } })
  $('<link rel="stylesheet">').attr('href', styleSheet).appendTo(document.head)
  startEditorSpeaker()
  followSpeakerKinds()
  markSpeakOutputs()
  redrawButtons()
  addStudioTab()
}

/** Lets this tab play the sounds of the speaker *the editor*. */
function startEditorSpeaker(): void {
  const player = createPlayerId()
  const send = (path: string, query: Record<string, string>, method: string) => {
    // The editor's own requests do the same.
    const token = RED.settings.get('auth-tokens')?.access_token
    return fetch(`parlando/editor-speaker/${path}?${new URLSearchParams({ ...query, player })}`, {
      method,
      // A report must arrive also when the tab is closed.
      keepalive: method === 'POST',
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    })
  }
  const { take } = createSpeakerClient({
    server: {
      async report(id, event) {
        const response = await send('report', { id, event }, 'POST')
        return ((await response.json()) as { play: boolean }).play
      },
      fetchAudio: (id) => send('audio', { id }, 'GET'),
    },
  })
  RED.comms.subscribe(editorTopic, (_topic, command) => take(command as BrowserCommand))
}
