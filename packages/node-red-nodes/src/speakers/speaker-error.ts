import type { Texts } from '../runtime/texts.ts'
import type { AddressWarning } from '../sounds/to-play/player-address.ts'

/** Why a speaker did not play a sound. */
export type SpeakerErrorCode =
  | 'NO_PLAYER'
  | 'NOT_FETCHED'
  | 'SPEAKER_NOT_REACHABLE'
  | 'SPEAKER_REFUSED'

/** A speaker did not play a sound, or not to its end. */
export class SpeakerError extends Error {
  readonly code: SpeakerErrorCode
  /** Whether the same sound may play later without a change of the flow. */
  readonly retryable: boolean
  /** Calls back once the speaker can play. @returns a function that ends the wait. Absent where nobody notices that. */
  whenSolved?(notify: () => void): () => void

  constructor(code: SpeakerErrorCode, message: string) {
    super(message)
    this.code = code
    this.retryable = code === 'SPEAKER_NOT_REACHABLE'
  }
}

/** The error of what a speaker plays when a deploy changes or removes it. */
export function speakerClosed(RED: Texts): SpeakerError {
  return new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.closed'))
}

/** The error when no browser has played a sound to its end. */
export function notPlayedInBrowser(RED: Texts): SpeakerError {
  const message = RED._('speaker.error.not-played-in-browser')
  return new SpeakerError('SPEAKER_NOT_REACHABLE', message)
}

/** A player that can fetch an address does so within this time. */
export const fetchWithinMs = 5_000

/** The error when no player has fetched an address, with the probable reason. */
export function notFetched(RED: Texts, warning: AddressWarning | undefined): SpeakerError {
  // The texts are in the catalogue of the sound address node.
  const hint = RED._(`@parlando/node-red/parlando-address:address.warning.${warning ?? 'none'}`)
  const message = RED._('@parlando/node-red/parlando-address:address.error.not-fetched', { hint })
  return new SpeakerError('NOT_FETCHED', message)
}
