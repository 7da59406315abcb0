import { choiceField } from '../../editor/fields/choice-field.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { RED } from '../../editor/red.ts'
import { isTimeZone } from '../../reminders/zoned-time.ts'

export const remindForm = nodeForm({
  usesService: false,
  defaults: {
    language: { value: '' },
    timeZone: { value: '', validate: checkTimeZone },
    half: { value: false },
    mcpAccess: { value: '', type: 'parlando-mcp-access', required: false },
  },
  paletteLabel: 'remind',
  inputPort: 'remind.port.text',
  outputPorts: ['remind.port.due', 'remind.port.answer'],
  oneditprepare() {
    choiceField({
      input: $('#node-input-timeZone'),
      load: () => Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value })),
    })
  },
})

function checkTimeZone(value: unknown, _options: unknown): true | string {
  const name = String(value ?? '').trim()
  if (name === '' || isTimeZone(name)) return true
  return RED._('@parlando/node-red/parlando-remind:remind.error.not-time-zone')
}
