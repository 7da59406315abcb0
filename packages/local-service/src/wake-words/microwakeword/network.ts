/** The network of one wake word, as build/wake_words.py of @parlando/voices writes it. */
export interface NetworkData {
  phrase: string
  /** 0…1: the probability from which on the word was said, as the mean of several steps. */
  cutoff: number
  averaged: number
  framesPerStep: number
  inputScale: number
  layers: readonly LayerData[]
}

/** Whole numbers of 8 bits come in and go out. */
interface LayerData {
  /** Whether each channel has weights of its own; otherwise each output sees all channels. */
  isDepthwise: boolean
  /** How many frames it sees, of how many channels. */
  frames: number
  width: number
  /** Base64: one byte each. By frames and channels; unless depthwise, these for each output. */
  weights: string
  biases: readonly number[]
  /** From sums to outputs, before `outputZero` is added. */
  scales: readonly number[]
  inputZero: number
  outputZero: number
  outputScale: number
}

/** The state of one stream. */
export interface Network {
  /**
   * @param frames of sound features, `framesPerStep`.
   * @returns 0…1: the probability that the wake word ends here.
   */
  step(frames: readonly Float32Array[]): number
}

const featureScale = 1 / 25.6
const limit = (value: number) => Math.min(127, Math.max(-128, value))

export function createNetwork({ inputScale, layers }: NetworkData): Network {
  const [first, last] = [layers[0]!, layers.at(-1)!]
  const steps = layers.map(createLayer)
  const quantize = (feature: number) =>
    limit(Math.round((feature * featureScale) / inputScale + first.inputZero))
  return {
    step(frames) {
      let values = Int8Array.from(frames.flatMap((frame) => Array.from(frame, quantize)))
      for (const step of steps) values = step(values)
      const sum = (values[0]! - last.outputZero) * last.outputScale
      return Math.min(255, Math.round(256 / (1 + Math.exp(-sum)))) / 256
    },
  }
}

/** @returns what takes new frames and returns one frame of outputs. It remembers as many frames as it sees. */
function createLayer(layer: LayerData): (added: Int8Array) => Int8Array<ArrayBuffer> {
  const { isDepthwise, frames, width, biases, scales, inputZero, outputZero } = layer
  const bytes = Buffer.from(layer.weights, 'base64')
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const seen = new Int8Array(frames * width).fill(inputZero)
  const outputs = new Int8Array(biases.length)
  const step = isDepthwise ? width : 1
  return (added) => {
    seen.copyWithin(0, added.length)
    seen.set(added, seen.length - added.length)
    for (let output = 0; output < outputs.length; output++) {
      const seenFrom = isDepthwise ? output : 0
      const weightFrom = isDepthwise ? output : output * seen.length
      let sum = biases[output]!
      for (let index = 0; seenFrom + index < seen.length; index += step) {
        sum += seen[seenFrom + index]! * weights[weightFrom + index]!
      }
      outputs[output] = limit(Math.round(sum * scales[output]!) + outputZero)
    }
    return outputs
  }
}
