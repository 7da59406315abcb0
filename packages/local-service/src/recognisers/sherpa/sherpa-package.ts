/** The parts of sherpa-onnx-node in use. */
export interface SherpaPackage {
  OnlineRecognizer: new (config: RecognizerConfig) => OnlineRecognizer
  OfflineRecognizer: {
    createAsync(config: RecognizerConfig): Promise<OfflineRecognizer>
  }
}

export interface RecognizerConfig {
  featConfig: { sampleRate: number; featureDim: number }
  /** One family of models with its files, and the settings of all families. */
  modelConfig: {
    tokens: string
    numThreads: number
    provider: 'cpu'
    /** Some families of transducers need it. */
    modelType?: string
    modelingUnit?: 'bpe'
    /** A file that sherpa-onnx reads while it loads the model. */
    bpeVocab?: string
    whisper?: Record<string, string>
    senseVoice?: Record<string, string | number>
    [family: string]: unknown
  }
  decodingMethod: 'greedy_search' | 'modified_beam_search'
  /** Expected words of a streaming model, one per line, and their length in bytes. */
  hotwordsBuf?: string
  hotwordsBufSize?: number
}

export interface OnlineRecognizer {
  createStream(): OnlineStream
  isReady(stream: OnlineStream): boolean
  decode(stream: OnlineStream): void
  getResult(stream: OnlineStream): SherpaResult
}

export interface OnlineStream {
  acceptWaveform(sound: Waveform): void
  inputFinished(): void
}

export interface OfflineRecognizer {
  /** @param hotwords expected words, separated by slashes. */
  createStream(hotwords?: string): OfflineStream
  setConfig(config: RecognizerConfig): void
  /** Runs in another thread. */
  decodeAsync(stream: OfflineStream): Promise<SherpaResult>
}

export interface OfflineStream {
  acceptWaveform(sound: Waveform): void
}

interface Waveform {
  samples: Float32Array
  sampleRate: number
}

export interface SherpaResult {
  text: string
  /** The language that Whisper (`de`) or SenseVoice (`<|de|>`) has detected; empty for other models. */
  lang?: string
  /** Parts of words; the first one of a word begins with a space. */
  tokens?: readonly string[]
  /** The seconds at which the tokens begin. */
  timestamps?: readonly number[]
}

/** A loaded model. */
export interface SherpaModel {
  open(options: SherpaUtteranceOptions): Promise<SherpaUtterance>
}

export interface SherpaUtteranceOptions {
  /** A code such as `en`. Default: the model detects it, or knows only one. */
  language?: string
  /** Expected words; empty for models that do not take them. */
  hotwords: readonly string[]
}

/** An utterance in progress. */
export interface SherpaUtterance {
  /** @returns the text so far; undefined if the model has no interim results. */
  write(samples: Int16Array): string | undefined
  end(): SherpaResult | Promise<SherpaResult>
}
