import { optionalNumber } from '../../editor/checks.ts'
import { speechDefaults, speechFields } from '../../editor/fields/speech-fields.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { speakerDefaults } from '../../editor/speakers/speaker-configs.ts'

const seconds = optionalNumber({ min: 1, max: 86_400, isInteger: false })

export const announceForm = nodeForm({
  defaults: {
    ...speakerDefaults,
    ...speechDefaults,
    priority: { value: 'normal', required: true },
    chime: { value: 'doorbell', required: true },
    volume: { value: '', validate: optionalNumber({ min: 0, max: 100, isInteger: false }) },
    expiresIn: { value: '', validate: seconds },
    times: { value: '', validate: optionalNumber({ min: 1, max: 1000 }) },
    everySeconds: { value: '', validate: seconds },
    untilAcknowledged: { value: false },
    standIn: { value: '' },
    mcpAccess: { value: '', type: 'parlando-mcp-access', required: false },
    outputs: { value: 2 },
  },
  paletteLabel: 'announce',
  button: stopButton,
  inputPort: 'announce.port.text',
  outputPorts: ['announce.port.said', 'announce.port.not-said', 'announce.port.hand-out'],
  oneditprepare: speechFields,
})
