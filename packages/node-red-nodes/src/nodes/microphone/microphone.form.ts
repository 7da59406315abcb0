import { rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { wakeWordModelField } from '../../editor/fields/wake-word-model-field.ts'
import { microphoneButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { chosenService } from '../../editor/service-settings.ts'
import { microphonePage, nameNewPage } from '../../editor/speakers/page-address.ts'

export const microphoneForm = nodeForm({
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
    starts: { value: 'message' },
    ends: { value: 'message' },
    wakeWord: { value: '' },
    wakeWordModel: { value: '' },
    sensitivity: { value: 'normal' },
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
    wakeWordModelField('#node-input-wakeWordModel', chosenService)
    wakeWordRows()
  },
})

/** Shows the rows of the wake word where one starts the recordings. These end on silence. */
function wakeWordRows(): void {
  const [kind, mode, starts] = ['kind', 'mode', 'starts'].map((name) => $(`#node-input-${name}`))
  const rows = $('#node-input-wakeWord').closest('.parlando-form').children('.parlando-wake-word')
  const ends = $('#node-input-ends').closest('.form-row')
  const show = () => {
    const isMachine = kind!.val() === 'machine'
    const waits = (isMachine ? starts! : mode!).val() === 'wake-word'
    rows.toggle(waits)
    ends.toggle(isMachine && !waits)
  }
  // After the rows of the kind, which have the same event.
  for (const field of [kind!, mode!, starts!]) field.on('change', show)
  show()
}
