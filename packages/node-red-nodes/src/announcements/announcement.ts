import type { Playable } from '../playback/play-on-speakers.ts'
import type { Sound } from '../sounds/sound.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { CommandRecogniser } from './listen-for-commands.ts'
import type { PlaybackReport } from './playback-report.ts'

/** The priorities, from the least to the most important. */
export const priorities = ['info', 'normal', 'urgent', 'alarm'] as const
export type Priority = (typeof priorities)[number]

export function isLower(priority: Priority, than: Priority): boolean {
  return priorities.indexOf(priority) < priorities.indexOf(than)
}

/** Something to say on one or more speakers. */
export interface Announcement extends Playable {
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
  /**
   * An announcement that has waited longer is not said. Default: 60 s for `info`, 300 s for `normal` and `urgent`, never for
   * `alarm`; the time for which quiet hours hold it does not count then.
   */
  expiresInMs?: number
  /** 0 to 100. Default: the volume of each speaker. */
  volume?: number
  repeat?: Repeat
  /**
   * If a more important announcement or a deploy of its speaker cuts it, it is over as `interrupted`, whatever its priority, and is
   * not said again: the caller announces the part that nobody has heard.
   */
  endsWhenCut?: true
  /** Somebody has postponed it, after it was said, to this time in ms since 1970. */
  againAt?: number
  /** Called when the first sample of its sound is heard on a speaker. */
  onHeard?(speaker: Speaker, sound: Sound): void
  /** It recognises what somebody says to the announcement, on a speaker with a microphone. Default: nothing is recognised. */
  recogniser?: CommandRecogniser
}

export interface Repeat {
  /** How often it is said in all; `Infinity` for no limit. */
  times: number
  /** The time from the start of one to the start of the next, or more if it takes longer. */
  everySeconds: number
  /** Ends when somebody acknowledges the announcement. */
  untilAcknowledged: boolean
  /** How often it was said before Node-RED restarted. */
  timesBefore?: number
}

/** `msg.announcement`: what became of an announcement. */
export interface AnnouncementReport extends PlaybackReport {
  id: string
  /** Why it failed. Present with the reason `failed`. */
  error?: { code: string; message: string }
  priority: Priority
  topic?: string
  /** The time from the message to the start of its playback. */
  waitedMs?: number
  /** The time from the message to the first sample that was heard. */
  firstSoundMs?: number
  /** How often it was said; more than once for a repeated announcement. */
  times: number
}

/** An announcement that is repeated until somebody acknowledges it, or that somebody has postponed. */
export interface PendingAlarm {
  id: string
  text: string
  /** The devices of its speakers. */
  devices: readonly string[]
  /** If it was postponed: when it is said again, in ms since 1970. */
  againAt?: number
}

export type AnnouncementState = 'waiting' | 'saying' | 'repeating' | 'postponed'

export interface AnnounceOptions {
  /** Stops the announcement, also while it is being said. */
  signal: AbortSignal
  /**
   * `waiting` if it cannot start at once; `saying` when its first sample is heard; `repeating` until it is said again, and
   * `postponed` if somebody has postponed that.
   * @param speakers where.
   */
  onStateChange(state: AnnouncementState, speakers: readonly Speaker[]): void
  /** Somebody has postponed it to a time in ms since 1970. */
  onPostponed?(againAt: number): void
  /** Somebody wants to hear it again after its end, now or at another time in ms since 1970. */
  onAgain?(againAt: number): void
  /** It was not heard, but is said again since nobody has acknowledged it. */
  onFailure(error: unknown): void
}
