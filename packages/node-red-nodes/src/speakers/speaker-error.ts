import type { NodeAPI } from 'node-red'

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
export function speakerClosed(RED: Pick<NodeAPI, '_'>): SpeakerError {
  return new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.closed'))
}
