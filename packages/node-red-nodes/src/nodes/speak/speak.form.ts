import { speakableText } from '@parlando/core/text'
import { speechEncodingFields } from '../../editor/fields/encoding-fields.ts'
import { speakOutputField } from '../../editor/fields/output-field.ts'
import { speechDefaults, speechFields } from '../../editor/fields/speech-fields.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { text } from '../../editor/red.ts'

export const speakForm = nodeForm({
  defaults: {
    ...speechDefaults,
    encoding: { value: '' },
    sampleRate: { value: '24000' },
    timestamps: { value: false },
    captions: { value: false },
    output: { value: 'chunks', required: true },
    busy: { value: 'wait', required: true },
  },
  paletteLabel: 'speak',
  button: stopButton,
  inputPort: 'speak.port.text',
  outputPorts() {
    return [this.output === 'whole' ? 'speak.port.whole' : 'speak.port.chunks']
  },
  label() {
    return this.name || (this.voice ? `speak: ${this.voice}` : 'speak')
  },
  oneditprepare() {
    speechFields()
    speechEncodingFields(this)
    speakOutputField(this)
    $('#parlando-speak-sample').val(this._('speak.sample'))
    cleaningPreview()
  },
})

/** Shows a cleaned sample text while cleaning is selected. */
function cleaningPreview(): void {
  const checkbox = $('#node-input-clean')
  const sample = $('#parlando-speak-sample')
  const show = () => {
    $('.parlando-speak-sample').toggle(checkbox.is(':checked'))
    const spoken = speakableText(String(sample.val()))
    const words = spoken ? text('spoken', { text: spoken }) : text('nothing-spoken')
    $('#parlando-speak-spoken').text(words)
  }
  checkbox.on('change', show)
  sample.on('input', show)
  show()
}
