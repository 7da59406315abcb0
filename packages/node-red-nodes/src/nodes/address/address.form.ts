import { optionalAddress, optionalNumber } from '../../editor/checks.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { playerAddressNote } from '../../editor/speakers/page-address.ts'

export const addressForm = nodeForm({
  usesService: false,
  defaults: {
    player: { value: 'plain', required: true },
    address: { value: '', validate: optionalAddress },
    response: { value: 'adaptive', required: true },
    maxSounds: { value: '', validate: optionalNumber({ min: 1, max: 1000 }) },
    maxMebibytes: { value: '', validate: optionalNumber({ min: 1, max: 1024 }) },
  },
  paletteLabel: 'sound address',
  inputPort: 'address.port.sound',
  outputPorts: ['address.port.at-once', 'address.port.whole'],
  oneditprepare() {
    playerAddressNote('#node-input-address')
  },
})
