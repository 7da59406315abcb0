import { optionalNumber } from '../../editor/checks.ts'
import { speechDefaults, speechFields } from '../../editor/fields/speech-fields.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { speakerDefaults } from '../../editor/speakers/speaker-configs.ts'

export const readAloudForm = nodeForm({
  defaults: {
    ...speakerDefaults,
    ...speechDefaults,
    clean: { value: true },
    priority: { value: 'info', required: true },
    volume: { value: '', validate: optionalNumber({ min: 0, max: 100, isInteger: false }) },
    outputs: { value: 2 },
  },
  paletteLabel: 'read aloud',
  inputPort: 'read-aloud.port.text',
  outputPorts: ['read-aloud.port.read', 'read-aloud.port.not-read', 'read-aloud.port.hand-out'],
  oneditprepare: speechFields,
})
