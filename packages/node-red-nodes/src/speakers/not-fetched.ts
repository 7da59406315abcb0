import type { NodeAPI } from 'node-red'
import type { AddressWarning } from '../sounds/player-address.ts'
import { SpeakerError } from './speaker-error.ts'

/** A player that can fetch an address does so within this time. */
export const fetchWithinMs = 5_000

/** The texts are in the catalogue of the sound address node. */
const catalogue = '@parlando/node-red/parlando-address'

/** The error when no player has fetched an address, with the probable reason. */
export function notFetched(
  RED: Pick<NodeAPI, '_'>,
  warning: AddressWarning | undefined,
): SpeakerError {
  const text = (key: string, values = {}) => RED._(`${catalogue}:${key}`, values)
  const hint = text(`address.warning.${warning ?? 'none'}`)
  return new SpeakerError('NOT_FETCHED', text('address.error.not-fetched', { hint }))
}
