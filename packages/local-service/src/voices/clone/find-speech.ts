// @ts-expect-error: the package brings no types; the parts in use are declared below.
import createFvad from '@echogarden/fvad-wasm'
import { toInt16 } from '../../dsp/pcm.ts'
import { measuringRateHertz } from '../imprint/measure-voice.ts'

/** The functions of the compiled voice activity detector in use. Addresses refer to its own memory. */
interface FvadModule {
  _malloc(bytes: number): number
  _fvad_new(): number
  _fvad_set_mode(detector: number, mode: number): number
  _fvad_set_sample_rate(detector: number, sampleRateHertz: number): number
  _fvad_process(detector: number, address: number, length: number): number
  HEAP16: Int16Array
}

const frameSamples = 480
// 0 classifies nearly everything as speech, 3 misses soft words.
const strictness = 2
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
  const module = (await createFvad()) as FvadModule
  const detector = module._fvad_new()
  module._fvad_set_mode(detector, strictness)
  module._fvad_set_sample_rate(detector, measuringRateHertz)
  const address = module._malloc(frameSamples * 2)
  return Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, frame) => {
    const start = frame * frameSamples
    module.HEAP16.set(toInt16(samples.subarray(start, start + frameSamples)), address / 2)
    return module._fvad_process(detector, address, frameSamples) === 1
  })
}
