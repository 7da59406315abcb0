import { readSettings } from '../../runtime/settings.ts'
import { isPlayerNode, type PlayerNode } from '../../sounds/player-messages.ts'
import { isResponseForm, type ResponseForm } from '../../sounds/sound-store.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface AddressSettings {
  player?: string
  response?: string
  address?: string
  maxSounds?: string | number
  maxMebibytes?: string | number
}

export interface AddressOptions {
  player: PlayerNode
  response: ResponseForm
  /** The address of Node-RED as players see it; empty: determined automatically. */
  address: string
  maxSounds: number
  maxBytes: number
}

export function readOptions(settings: AddressSettings): AddressOptions {
  const { player, response, address, maxSounds, maxMebibytes } = readSettings({}, settings, {
    player: { form: 'player', fallback: 'plain' },
    response: { form: 'response', fallback: 'adaptive' },
    address: { form: 'address', fallback: '' },
    maxSounds: { form: 'maxSounds', isNumber: true },
    maxMebibytes: { form: 'maxMebibytes', isNumber: true },
  })
  return {
    player: isPlayerNode(player) ? player : 'plain',
    response: isResponseForm(response) ? response : 'adaptive',
    address: String(address),
    maxSounds: atLeastOne(maxSounds, 50),
    maxBytes: atLeastOne(maxMebibytes, 64) * 1024 * 1024,
  }
}

function atLeastOne(value: number | undefined, fallback: number): number {
  return value !== undefined && value >= 1 ? value : fallback
}
