import type { NotSaidReason, PlaceReport } from '../../announcements/playback-report.ts'
import type { SpeechMessage } from '../../runtime/speech/speech-request.ts'

export interface ReadAloudMessage extends SpeechMessage {
  /** Names or rooms of speakers. */
  speakers?: unknown
  volume?: unknown
  priority?: unknown
  /** Interrupts the text, and goes on with it. */
  pause?: unknown
  resume?: unknown
  /** Goes on this number of sentences later, or earlier if it is negative. */
  skip?: unknown
  /** Ends the texts of this node, or those of the topic. */
  stop?: unknown
  /** Another node has played the sound of the address in `url`. */
  played?: unknown
  url?: unknown
  reading?: ReadingReport
}

/** `msg.reading`: what became of a text. */
export interface ReadingReport {
  status: 'read' | 'not read'
  reason?: NotSaidReason
  /** Why it failed. Present with the reason `failed`. */
  error?: { code: string; message: string }
  /** How many sentences were read, of how many. */
  sentence: number
  sentences: number
  /** Where the last sentence was said. */
  speakers: readonly PlaceReport[]
}
