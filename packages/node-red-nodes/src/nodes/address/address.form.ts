import { optionalAddress, optionalNumber } from '../../editor/checks.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { playerAddressNote } from '../../editor/player-address-note.ts'

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
  inputLabels() {
    return this._('address.port.sound')
  },
  outputLabels(index) {
    return this._(index === 0 ? 'address.port.at-once' : 'address.port.whole')
  },
  label() {
    return this.name || 'sound address'
  },
  oneditprepare() {
    playerAddressNote('#node-input-address')
  },
})
