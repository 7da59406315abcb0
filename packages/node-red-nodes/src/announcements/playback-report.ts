import type { SpeakerReport } from '../playback/play-on-speakers.ts'

/** What became of a text or a sound that a node has played on speakers. */
export interface PlaybackReport {
  status: 'said' | 'not said'
  /** Why it was not said. */
  reason?: NotSaidReason
  /** Whether somebody has acknowledged it, if that is required. */
  acknowledged?: boolean
  standIn?: StandIn
  durationSeconds?: number
  speakers: PlaceReport[]
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

/** What became of it on one speaker, or why it was not said there. */
export interface PlaceReport extends Omit<SpeakerReport, 'status'> {
  /** `quiet hours`: it was said on the other speakers only. */
  status: SpeakerReport['status'] | 'quiet hours'
  /** The names of the speakers that were asked to say it instead, which have reports of their own. */
  instead?: string
}
