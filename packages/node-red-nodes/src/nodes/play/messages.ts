import type { AnnouncementReport } from '../../announcements/announcement.ts'
import type { SoundMessage } from '../../sounds/collect-sound.ts'

export interface PlayMessage extends SoundMessage {
  /** Names or rooms of loudspeakers. */
  speakers?: unknown
  volume?: unknown
  stop?: unknown
  /** Another node has played the sound at `msg.url`. */
  played?: unknown
  url?: unknown
  playback?: Pick<AnnouncementReport, 'durationSeconds' | 'speakers'>
}

/** Whether a payload is the address of a sound. */
export function isAddress(payload: unknown): payload is string {
  return typeof payload === 'string' && /^\s*https?:\/\//i.test(payload) && URL.canParse(payload)
}
