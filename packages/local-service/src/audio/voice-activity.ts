/** The functions of the compiled WebRTC voice activity detector in use. Addresses refer to its own memory. */
interface FvadModule {
  _malloc(bytes: number): number
  _free(address: number): void
  _fvad_new(): number
  _fvad_free(detector: number): void
  _fvad_set_mode(detector: number, mode: number): number
  _fvad_set_sample_rate(detector: number, sampleRateHertz: number): number
  _fvad_process(detector: number, address: number, length: number): number
  HEAP16: Int16Array
}

export interface VoiceActivityOptions {
  sampleRateHertz: 8000 | 16_000 | 32_000 | 48_000
  frameMs: 10 | 20 | 30
  /** From 0, which classifies nearly everything as speech, to 3, which misses soft words. */
  strictness: 0 | 1 | 2 | 3
}

/** WebRTC's voice activity detector. It mistakes loud steady noise for speech. */
export interface VoiceActivityDetector {
  readonly frameSamples: number
  /** Frames must follow one another without a gap. */
  isSpeech(frame: Int16Array): boolean
  /** Must be called: it frees memory that is not garbage-collected. */
  close(): void
}

let fvad: Promise<FvadModule> | undefined

/** Compiles the detector once. After a failure the next call compiles it again. */
function loadFvad(): Promise<FvadModule> {
  fvad ??= compileFvad().catch((error) => {
    fvad = undefined
    throw error
  })
  return fvad
}

async function compileFvad(): Promise<FvadModule> {
  // A dynamic import, because a static one in the CommonJS build would return the whole module as the default export.
  // @ts-expect-error: the package has no types; the parts in use are declared above.
  const { default: createFvad } = await import('@echogarden/fvad-wasm')
  return createFvad()
}

export async function createVoiceActivityDetector(
  options: VoiceActivityOptions,
): Promise<VoiceActivityDetector> {
  const { sampleRateHertz, frameMs, strictness } = options
  const module = await loadFvad()
  const frameSamples = (sampleRateHertz * frameMs) / 1000
  const detector = module._fvad_new()
  const address = module._malloc(frameSamples * 2)
  module._fvad_set_mode(detector, strictness)
  module._fvad_set_sample_rate(detector, sampleRateHertz)
  return {
    frameSamples,
    isSpeech(frame) {
      module.HEAP16.set(frame, address / 2)
      return module._fvad_process(detector, address, frameSamples) === 1
    },
    close() {
      module._free(address)
      module._fvad_free(detector)
    },
  }
}
