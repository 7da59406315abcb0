import { optionalNumber } from '../../editor/checks.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { speakerDefaults } from '../../editor/speakers/speaker-configs.ts'

export const playForm = nodeForm({
  usesService: false,
  defaults: {
    ...speakerDefaults,
    volume: { value: '', validate: optionalNumber({ min: 0, max: 100, isInteger: false }) },
    acceptAddresses: { value: true },
    outputs: { value: 1 },
  },
  paletteLabel: 'play',
  button: stopButton,
  inputPort: 'play.port.sound',
  outputPorts: ['play.port.played', 'play.port.hand-out'],
})
