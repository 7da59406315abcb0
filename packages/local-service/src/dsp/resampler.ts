/** The parts of the compiled speex resampler that are used; addresses and lengths are in its own memory. */
interface SpeexModule {
  _malloc(bytes: number): number
  _free(address: number): void
  _speex_resampler_init(
    channels: number,
    inputRateHertz: number,
    outputRateHertz: number,
    quality: number,
    errorAddress: number,
  ): number
  _speex_resampler_skip_zeros(state: number): number
  _speex_resampler_get_input_latency(state: number): number
  _speex_resampler_destroy(state: number): void
  _speex_resampler_process_float(
    state: number,
    channel: number,
    inputAddress: number,
    inputLengthAddress: number,
    outputAddress: number,
    outputLengthAddress: number,
  ): number
  HEAPF32: Float32Array
  HEAPU32: Uint32Array
}

/** Changes the sample rate of one utterance while it is made. */
export interface Resampler {
  /** @returns the samples that are ready; the last few wait for more input. */
  push(samples: Float32Array): Float32Array
  /** @returns the samples that were waiting. */
  end(): Float32Array
  /** Frees its memory; must be called whatever happened. */
  close(): void
}

// 0 is fastest, 10 best; 5 keeps everything that a voice of 16 kHz holds.
const quality = 5

const speex = loadSpeex()

/** By `import()`, since what is built as CommonJS would take the whole module for its default export. */
async function loadSpeex(): Promise<SpeexModule> {
  // @ts-expect-error: the package brings no types; those that are used stand above.
  const { default: createSpeex } = await import('@echogarden/speex-resampler-wasm')
  return createSpeex()
}

export async function createResampler(rates: {
  inputRateHertz: number
  outputRateHertz: number
}): Promise<Resampler> {
  const { inputRateHertz, outputRateHertz } = rates
  if (inputRateHertz === outputRateHertz) return unchanged
  const module = await speex
  const state = module._speex_resampler_init(1, inputRateHertz, outputRateHertz, quality, 0)
  if (state === 0) throw new Error(`No resampler from ${inputRateHertz} to ${outputRateHertz} Hz`)
  module._speex_resampler_skip_zeros(state)
  const latency = module._speex_resampler_get_input_latency(state)

  const push = (samples: Float32Array): Float32Array => {
    const room = Math.ceil((samples.length * outputRateHertz) / inputRateHertz) + 64
    const lengths = module._malloc(8)
    const input = module._malloc(samples.length * 4)
    const output = module._malloc(room * 4)
    module.HEAPU32[lengths >> 2] = samples.length
    module.HEAPU32[(lengths >> 2) + 1] = room
    module.HEAPF32.set(samples, input >> 2)
    module._speex_resampler_process_float(state, 0, input, lengths, output, lengths + 4)
    const madeSamples = module.HEAPU32[(lengths >> 2) + 1]!
    const made = module.HEAPF32.slice(output >> 2, (output >> 2) + madeSamples)
    for (const address of [lengths, input, output]) module._free(address)
    return made
  }

  return {
    push,
    end: () => push(new Float32Array(latency)),
    close: () => module._speex_resampler_destroy(state),
  }
}

const unchanged: Resampler = {
  push: (samples) => samples,
  end: () => new Float32Array(),
  close: () => {},
}
