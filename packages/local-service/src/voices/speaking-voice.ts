import type { Voice } from '@parlando/core/wire'
import type { ImitatedRecording } from '../engines/engine.ts'
import type { VoiceProfile } from './profile.ts'

/** A voice as callers see it, and the way to generate its sound. */
export interface SpeakingVoice {
  voice: Voice
  /** The name of the engine that speaks it. */
  engine: string
  /** The engine's own name for the voice. */
  engineVoice: string
  /** The profile that the engine's voice is reshaped to match. Default: the engine's voice is left unchanged. */
  imprint?: VoiceProfile
  /** A recording that the person has agreed to keep. A voice of an engine that imitates speaks like it. */
  recording?: ImitatedRecording
  /** What the store says about a recording of which this machine has no copy. A change of the voice keeps it for the others. */
  recordingElsewhere?: Pick<ImitatedRecording, 'text'>
  /** How much louder the imprint makes the voice, which its gain corrects. Default: 0, as it is not measured for clones. */
  addedDecibels?: number
}
