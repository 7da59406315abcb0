import { rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { voiceField } from '../../editor/fields/voice-field.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { chosenService } from '../../editor/service-settings.ts'

export const voicesForm = nodeForm({
  defaults: {
    operation: { value: 'list', required: true },
    voice: { value: '' },
    languages: { value: '' },
    search: { value: '' },
    output: { value: 'whole', required: true },
  },
  paletteLabel: 'voices',
  inputPort: 'voices.port.input',
  outputPorts() {
    const sendsEach = this.operation === 'list' && this.output === 'each'
    return [`voices.port.${sendsEach ? 'each' : this.operation}`]
  },
  label() {
    return (
      this.name ||
      (this.operation === 'list' ? 'voices' : this._(`voices.operation.${this.operation}`))
    )
  },
  oneditprepare() {
    rowsOfKind('#node-input-operation')
    voiceField({
      input: '#node-input-voice',
      service: chosenService,
      serviceInput: '#node-input-service',
    })
  },
})
