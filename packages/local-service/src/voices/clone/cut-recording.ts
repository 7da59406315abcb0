import { writeWavHeader } from '@parlando/core/audio'
import { toPcmBytes } from '../../audio/pcm.ts'
import { joinSamples } from '../../audio/signal.ts'
import { createSilenceTrimmer } from '../../audio/silence.ts'

/** A recording that a model can imitate. */
export interface CutRecording {
  /** A WAV file, mono, 16 bits. */
  wav: Uint8Array
  /** Whether it contains the whole sample, so that the transcript of the sample is also that of the recording. */
  isWhole: boolean
}

/** The rate that the models use. */
export const recordingRateHertz = 24_000
/** Models need 5 to 10 s. More takes time with each phrase. */
const maxSeconds = 10

/** Trims the silence at both ends, and everything after 10 s. @param samples at `recordingRateHertz`. */
export function cutRecording(samples: Float32Array): CutRecording {
  const trimmer = createSilenceTrimmer(recordingRateHertz)
  const trimmed = joinSamples([trimmer.push(samples), trimmer.end()])
  const kept = trimmed.subarray(0, maxSeconds * recordingRateHertz)
  const pcm = toPcmBytes(kept)
  const header = writeWavHeader({ sampleRateHertz: recordingRateHertz, dataBytes: pcm.length })
  return { wav: Buffer.concat([header, pcm]), isWhole: kept.length === trimmed.length }
}
