import { problemsOf } from '../../network/problems.ts'
import type { SpeakerErrorCode } from '../../speaker-error.ts'

/** Why Home Assistant did not play a sound: the text `speaker.home-assistant.<name>` and its code. */
const codes = {
  'no-server': 'NO_PLAYER',
  'bad-address': 'NO_PLAYER',
  'no-entity': 'NO_PLAYER',
  'unknown-entity': 'NO_PLAYER',
  'not-reachable': 'SPEAKER_NOT_REACHABLE',
  'other-server': 'SPEAKER_REFUSED',
  'no-response': 'SPEAKER_NOT_REACHABLE',
  lost: 'SPEAKER_NOT_REACHABLE',
  unavailable: 'SPEAKER_NOT_REACHABLE',
  'wrong-token': 'SPEAKER_REFUSED',
  'cannot-play': 'SPEAKER_REFUSED',
  rejected: 'SPEAKER_REFUSED',
} as const satisfies Record<string, SpeakerErrorCode>

export type HomeAssistantProblem = keyof typeof codes

export const problem = problemsOf('home-assistant', codes)
