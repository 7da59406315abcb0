import { toInt16 } from '../../audio/pcm.ts'
import { createVoiceActivityDetector } from '../../audio/voice-activity.ts'
import { measuringRateHertz } from '../imprint/measure-voice.ts'

const frameMs = 30
const frameSamples = (measuringRateHertz * frameMs) / 1000
// Covers soft beginnings and endings, and the closures within a word.
const marginFrames = 5

export interface FoundSpeech {
  /** The frames with speech, without long pauses. */
  speech: Float32Array
  /** All other frames. */
  rest: Float32Array
}

/** Separates speech from silence and noise. @param samples at `measuringRateHertz`. */
export async function findSpeech(samples: Float32Array): Promise<FoundSpeech> {
  const isSpeech = await detectSpeech(samples)
  const isNear = isSpeech.map((_, frame) => {
    return isSpeech
      .slice(Math.max(0, frame - marginFrames), frame + marginFrames + 1)
      .includes(true)
  })
  const framesThat = (near: boolean): Float32Array => {
    const frames = isNear.flatMap((value, frame) => (value === near ? [frame] : []))
    const part = new Float32Array(frames.length * frameSamples)
    for (const [index, frame] of frames.entries()) {
      const start = frame * frameSamples
      part.set(samples.subarray(start, start + frameSamples), index * frameSamples)
    }
    return part
  }
  return { speech: framesThat(true), rest: framesThat(false) }
}

/** @returns whether each frame contains speech. */
async function detectSpeech(samples: Float32Array): Promise<boolean[]> {
  const detector = await createVoiceActivityDetector({
    sampleRateHertz: measuringRateHertz,
    frameMs,
    strictness: 2,
  })
  const isSpeech = Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, frame) => {
    const start = frame * frameSamples
    return detector.isSpeech(toInt16(samples.subarray(start, start + frameSamples)))
  })
  detector.close()
  return isSpeech
}
