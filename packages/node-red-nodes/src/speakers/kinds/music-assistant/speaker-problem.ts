import { problemsOf } from '../../network/problems.ts'
import type { SpeakerErrorCode } from '../../speaker-error.ts'

/** Why Music Assistant did not play a sound: the text `speaker.music-assistant.<name>` and its code. */
const codes = {
  'no-server': 'NO_PLAYER',
  'bad-address': 'NO_PLAYER',
  'no-player': 'NO_PLAYER',
  'unknown-player': 'NO_PLAYER',
  'not-reachable': 'SPEAKER_NOT_REACHABLE',
  'other-server': 'SPEAKER_REFUSED',
  'no-response': 'SPEAKER_NOT_REACHABLE',
  lost: 'SPEAKER_NOT_REACHABLE',
  unavailable: 'SPEAKER_NOT_REACHABLE',
  'too-old': 'SPEAKER_REFUSED',
  'wrong-token': 'SPEAKER_REFUSED',
  rejected: 'SPEAKER_REFUSED',
} as const satisfies Record<string, SpeakerErrorCode>

export type MusicAssistantProblem = keyof typeof codes

export const problem = problemsOf('music-assistant', codes)
