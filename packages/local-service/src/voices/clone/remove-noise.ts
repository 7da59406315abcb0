// @ts-expect-error: the package brings no types; the parts in use are declared below.
import createRnnoise from '@echogarden/rnnoise-wasm'

/** The functions of the compiled RNNoise in use. Addresses refer to its own memory. */
interface RnnoiseModule {
  _malloc(bytes: number): number
  _rnnoise_create(model: number): number
  _rnnoise_process_frame(state: number, outputAddress: number, inputAddress: number): number
  HEAPF32: Float32Array
}

/** The only sample rate that RNNoise supports. */
export const denoisingRateHertz = 48_000

const frameSamples = 480
// RNNoise works on samples in the range of 16 bits and returns them one frame later.
const fullScale = 32_768

/** Suppresses noise between the words. It does not make speech clearer where noise and words overlap. */
export async function removeNoise(samples: Float32Array): Promise<Float32Array> {
  const module = (await createRnnoise()) as RnnoiseModule
  const state = module._rnnoise_create(0)
  // Trap: with the same buffer for input and output RNNoise removes hardly any noise.
  const input = module._malloc(frameSamples * 4)
  const output = module._malloc(frameSamples * 4)
  const clean = new Float32Array(samples.length + 2 * frameSamples)
  for (let start = 0; start < samples.length + frameSamples; start += frameSamples) {
    const frame = new Float32Array(frameSamples)
    frame.set(samples.subarray(start, start + frameSamples))
    module.HEAPF32.set(
      frame.map((sample) => sample * fullScale),
      input / 4,
    )
    module._rnnoise_process_frame(state, output, input)
    clean.set(module.HEAPF32.subarray(output / 4, output / 4 + frameSamples), start)
  }
  return clean
    .subarray(frameSamples, frameSamples + samples.length)
    .map((sample) => sample / fullScale)
}
