import type { AnnouncementReport } from '../../announcements/announcement.ts'
import type { SoundMessage } from '../../sounds/chunk-sequences.ts'

export interface PlayMessage extends SoundMessage {
  /** Names or rooms of speakers. */
  speakers?: unknown
  volume?: unknown
  stop?: unknown
  /** Another node has played the sound at `msg.url`. */
  played?: unknown
  url?: unknown
  playback?: Pick<AnnouncementReport, 'durationSeconds' | 'speakers'>
}

/** The sequence that the sound of a message is a part of, such as an answer of which it is a sentence. */
export function outerSequenceId({ parts }: PlayMessage): string | undefined {
  const outer = (parts as { parts?: { id?: unknown } } | undefined)?.parts
  return typeof outer?.id === 'string' ? outer.id : undefined
}

/** Whether a payload is the address of a sound. */
export function isAddress(payload: unknown): payload is string {
  return typeof payload === 'string' && /^\s*https?:\/\//i.test(payload) && URL.canParse(payload)
}
