import { rowsOfKind } from '../../editor/conditional-rows.ts'
import { microphoneButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { microphonePage, nameNewPage } from '../../editor/page-address.ts'

export const microphoneForm = nodeForm({
  usesService: false,
  defaults: {
    kind: { value: 'page' },
    mode: { value: 'push' },
    alsoPlays: {
      value: '',
      type: 'parlando-speaker',
      required: false,
      filter: ({ kind }) => kind === 'page',
    },
    device: { value: '' },
    ends: { value: 'message' },
  },
  onadd() {
    nameNewPage(this, 'microphone')
  },
  paletteLabel: 'microphone',
  button: microphoneButton,
  inputPort: 'microphone.port.command',
  outputPorts: ['microphone.port.sound'],
  oneditprepare() {
    rowsOfKind('#node-input-kind')
    microphonePage()
  },
})
