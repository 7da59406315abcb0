import { followSpeakerKinds } from './address-output.ts'
import { startEditorSpeaker } from './editor-speaker.ts'
import { redrawButtons } from './node-buttons.ts'
import type { NodeForm } from './node-form.ts'
import { markSpeakOutputs } from './output-field.ts'
import { type PaletteEntry, registerForm } from './register-form.ts'

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
}
