import { followSpeakerKinds } from './address-output.ts'
import { startEditorSpeaker } from './editor-speaker.ts'

// The API of the forms, as the global `Parlando`: the bundle is resources/editor.js, which every form loads.
export * from './checks.ts'
export * from './cleaning-preview.ts'
export * from './connection-test.ts'
export * from './encoding-fields.ts'
export * from './end-of-turn-field.ts'
export * from './kind-rows.ts'
export * from './language-field.ts'
export * from './listen-fields.ts'
export * from './microphone-button.ts'
export * from './model-fields.ts'
export { nameNewPage } from './new-page-name.ts'
export * from './output-field.ts'
export * from './page-address.ts'
export * from './player-address.ts'
export * from './recogniser-field.ts'
export { registerNode } from './register-node.ts'
export { chosenService, openService } from './service-settings.ts'
export * from './speaker-test.ts'
export * from './speech-fields.ts'
export * from './stop-button.ts'
export * from './tools-field.ts'
export * from './voice-field.ts'

// The editor runs this file for every node; what follows happens once.
const styleSheet = 'resources/@parlando/node-red/editor.css'
if ($(`link[href="${styleSheet}"]`).length === 0) {
  $('<link rel="stylesheet">').attr('href', styleSheet).appendTo(document.head)
  startEditorSpeaker()
  followSpeakerKinds()
}
