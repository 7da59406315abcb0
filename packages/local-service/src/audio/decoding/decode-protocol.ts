import type { RecordingError } from '@parlando/core/audio'
import type { SoundLayout } from './decoders.ts'

/** What the service wants of a sound. */
export interface DecodeRequest extends SoundLayout {
  /** The rate of the samples. Default: the rate of the sound. */
  sampleRateHertz?: number
  /** Longer sounds are rejected. Default: no limit. */
  maxSeconds?: number
}

/**
 * The messages to the process. `open` begins a sound; each other one responds to a message from the process, so that neither
 * side can flood the other.
 */
export type ToDecoder =
  | { type: 'open'; request: DecodeRequest }
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'more' }

/** A message from the process. */
export type FromDecoder =
  /** Wants the next bytes, or the end. */
  | { type: 'read' }
  /** Wants `more` when the samples were read. */
  | { type: 'sound'; samples: Int16Array; sampleRateHertz: number }
  /** The sound has ended. The process takes another one if it has not grown. */
  | { type: 'end'; hasGrown: boolean }
  | { type: 'failed'; problem: RecordingError['problem']; values: RecordingError['values'] }
