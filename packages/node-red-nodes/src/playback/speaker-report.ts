import type { Played } from '../speakers/driver.ts'

/** What became of a text or a sound on one speaker. */
export interface SpeakerReport {
  name: string
  status: 'said' | 'failed'
  startedAt?: string
  finishedAt?: string
  confirmedBy?: Played['confirmedBy']
  /** Why one of the devices of the speaker has not played it. */
  warning?: string
  /** A failure on one speaker while another one played. */
  error?: { code: string; message: string }
}
