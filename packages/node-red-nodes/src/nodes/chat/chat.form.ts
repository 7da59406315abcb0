import { optionalNumber, typedField, typedSetting } from '../../editor/checks.ts'
import { chatModelField } from '../../editor/fields/model-fields.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { chosenService } from '../../editor/service-settings.ts'

export const chatForm = nodeForm({
  defaults: {
    prompt: { value: 'payload', validate: typedSetting('promptType') },
    promptType: { value: 'msg' },
    model: { value: '' },
    system: { value: '' },
    mcpServer: { value: '', type: 'parlando-mcp-server', required: false },
    turns: { value: '10', validate: optionalNumber({ min: 0, max: 1000 }) },
    keep: { value: false },
    temperature: { value: '', validate: optionalNumber({ min: 0, max: 2, isInteger: false }) },
    maxTokens: { value: '', validate: optionalNumber({ min: 1, max: 1_000_000 }) },
    output: { value: 'whole', required: true },
    busy: { value: 'wait', required: true },
  },
  paletteLabel: 'chat',
  button: stopButton,
  inputPort: 'chat.port.prompt',
  outputPorts() {
    return [`chat.port.${this.output}`]
  },
  label() {
    return this.name || this.model || 'chat'
  },
  oneditprepare() {
    typedField('prompt', ['msg', 'flow', 'global', 'str', 'jsonata', 'json', 'env'])
    chatModelField('#node-input-model', chosenService)
  },
})
