import type { NodeAPI } from 'node-red'
import type { AddressWarning } from '../sounds/player-address.ts'
import { SpeakerError } from './speaker-error.ts'

/** A player that can fetch an address does so within this time. */
export const fetchWithinMs = 5_000

/** The error when no player has fetched an address, with the probable reason. */
export function notFetched(
  RED: Pick<NodeAPI, '_'>,
  warning: AddressWarning | undefined,
): SpeakerError {
  // The texts are in the catalogue of the sound address node.
  const hint = RED._(`@parlando/node-red/parlando-address:address.warning.${warning ?? 'none'}`)
  const message = RED._('@parlando/node-red/parlando-address:address.error.not-fetched', { hint })
  return new SpeakerError('NOT_FETCHED', message)
}
