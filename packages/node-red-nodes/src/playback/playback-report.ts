import type { Played } from '../speakers/driver.ts'

/** What became of a text or a sound that a node has played on speakers. */
export interface PlaybackReport {
  status: 'said' | 'not said'
  /** Why it was not said. */
  reason?: NotSaidReason
  /** Whether somebody has acknowledged it, if that is required. */
  acknowledged?: boolean
  standIn?: StandIn
  durationSeconds?: number
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
  /** Why one of the devices of the speaker has not played it. */
  warning?: string
  /** A failure on one speaker while another one played. */
  error?: { code: string; message: string }
  /** The names of the speakers that were asked to say it instead, which have reports of their own. */
  instead?: string
}
