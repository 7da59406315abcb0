import type { Sound, SoundFormat } from '../sounds/sound.ts'
import type { Played } from '../speakers/driver.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { ChimeName } from './chime.ts'
import type { AddressOutput } from './sound-address-output.ts'

/** From the least to the most important. */
export const priorities = ['info', 'normal', 'urgent', 'alarm'] as const
export type Priority = (typeof priorities)[number]

export function isLower(priority: Priority, than: Priority): boolean {
  return priorities.indexOf(priority) < priorities.indexOf(than)
}

/** Something to say on one or more speakers. */
export interface Announcement {
  id: string
  speakers: readonly Speaker[]
  /**
   * Finds them again, since a deploy may replace one while the announcement waits.
   * @throws {NodeInputError} if one no longer exists.
   */
  findSpeakers(): readonly Speaker[]
  priority: Priority
  /** The subject. A newer announcement of the same topic replaces one that waits. */
  topic?: string
  /**
   * The sequence that it is a part of, such as an answer of which it is a sentence. Its parts are said in order. Any number
   * of them wait, without expiry, and none replaces another.
   */
  sequenceId?: string | undefined
  /** For displays, and to recognise an announcement that was just made. */
  text: string
  /**
   * An announcement that has waited longer is not said. Default: 60 s for `info`, 300 s for `normal` and `urgent`, never for
   * `alarm`; the time for which quiet hours hold it does not count then.
   */
  expiresInMs?: number
  /** 0 to 100. Default: the volume of each speaker. */
  volume?: number
  /** Played before the text; absent: none. */
  chime?: ChimeName | undefined
  repeat?: Repeat
  /** It is the sound of a play node, such as music. Some speakers play announcements over it. */
  isMusic?: true
  /** Makes the sound. Called once for each sound that the speakers need, when they are free. */
  makeSound(wanted: WantedSound, signal: AbortSignal): Sound
  /** For speakers whose sounds another node plays. */
  addressOutput: AddressOutput
}

/** What a speaker needs. */
export interface WantedSound {
  format: SoundFormat
  /** Voice and language of the speaker; empty: those of the node. */
  voice: string
  language: string
}

export interface Repeat {
  /** How often it is said in all; `Infinity` for no limit. */
  times: number
  /** From the start of one to the start of the next, or more if it takes longer. */
  everySeconds: number
  /** Ends when somebody acknowledges the announcement. */
  untilAcknowledged: boolean
  /** How often it was said before Node-RED restarted. */
  timesBefore?: number
}

/** `msg.announcement`: what became of an announcement. */
export interface AnnouncementReport {
  id: string
  status: 'said' | 'not said'
  /** Why it was not said. */
  reason?: NotSaidReason
  /** For the reason `failed`. */
  error?: { code: string; message: string }
  priority: Priority
  topic?: string
  durationSeconds?: number
  /** From the message to the start of its playback. */
  waitedMs?: number
  /** From the message to the first sample that was heard. */
  firstSoundMs?: number
  /** How often it was said; more than once for a repeated announcement. */
  times: number
  acknowledged?: boolean
  standIn?: StandIn
  speakers: SpeakerReport[]
}

/** A voice of this machine that has said a text, because the service could not. */
export interface StandIn {
  voiceId: string
  /** Why the service could not. */
  error: { code: string; message: string }
}

export type NotSaidReason =
  | 'expired'
  | 'repeated'
  | 'quiet hours'
  | 'replaced'
  | 'interrupted'
  | 'too many waiting'
  | 'stopped'
  | 'no text'
  | 'failed'
  | 'deploy'

export interface SpeakerReport {
  name: string
  /** `quiet hours`: it was said on the other speakers only. */
  status: 'said' | 'failed' | 'quiet hours'
  startedAt?: string
  finishedAt?: string
  confirmedBy?: Played['confirmedBy']
  /** A failure on one speaker while another one played. */
  error?: { code: string; message: string }
  /** The names of the speakers that were asked to say it instead, which have reports of their own. */
  instead?: string
}

/** An announcement that is repeated until somebody acknowledges it. */
export interface PendingAlarm {
  id: string
  text: string
  /** The ids of its speakers. */
  speakerIds: readonly string[]
}

export interface AnnounceOptions {
  /** Stops the announcement, also while it is being said. */
  signal: AbortSignal
  /**
   * `waiting` if it cannot start at once; `saying` when its first sample is heard; `repeating` until it is said again.
   * @param speakers where.
   */
  onStateChange(state: 'waiting' | 'saying' | 'repeating', speakers: readonly Speaker[]): void
  /** It was not heard, but is said again since nobody has acknowledged it. */
  onFailure(error: unknown): void
}
