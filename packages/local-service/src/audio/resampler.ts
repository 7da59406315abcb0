/** The functions of the compiled speex resampler in use. Addresses and lengths refer to its own memory. */
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

/** Changes the sample rate of one utterance, piece by piece. */
export interface Resampler {
  /** @returns the samples that are ready; the last few need more input. */
  push(samples: Float32Array): Float32Array
  /** @returns the samples that were held back. */
  end(): Float32Array
  /** Frees the memory of speex. Must be called after success and after failure. Later calls do nothing. */
  close(): void
}

// From 0, the fastest, to 10, the best. 5 preserves the full bandwidth of a 16 kHz voice.
const quality = 5

let speex: Promise<SpeexModule> | undefined

/** Loads speex once, when the first rate has to be changed. After a failure the next call loads it again. */
function loadSpeex(): Promise<SpeexModule> {
  speex ??= compileSpeex().catch((error) => {
    speex = undefined
    throw error
  })
  return speex
}

async function compileSpeex(): Promise<SpeexModule> {
  // A dynamic import, because a static one in the CommonJS build would return the whole module as the default export.
  // @ts-expect-error: the package has no types; the parts in use are declared above.
  const { default: createSpeex } = await import('@echogarden/speex-resampler-wasm')
  return createSpeex()
}

/** @throws {Error} when speex cannot convert between these rates. */
export async function createResampler(rates: {
  inputRateHertz: number
  outputRateHertz: number
}): Promise<Resampler> {
  const { inputRateHertz, outputRateHertz } = rates
  if (inputRateHertz === outputRateHertz) return unchanged
  const module = await loadSpeex()
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
    const outputSamples = module.HEAPU32[(lengths >> 2) + 1]!
    const resampled = module.HEAPF32.slice(output >> 2, (output >> 2) + outputSamples)
    for (const address of [lengths, input, output]) module._free(address)
    return resampled
  }

  let isClosed = false
  return {
    push,
    end: () => push(new Float32Array(latency)),
    close() {
      // Speex would free memory that may already belong to another resampler.
      if (isClosed) return
      isClosed = true
      module._speex_resampler_destroy(state)
    },
  }
}

const unchanged: Resampler = {
  push: (samples) => samples,
  end: () => new Float32Array(),
  close: () => {},
}
