/** The voice detectors judge sound of this rate. */
export const detectorRateHertz = 16_000
export const samplesPerMs = detectorRateHertz / 1000
/** The voice detectors judge this much sound at a time. */
export const frameMs = 20
export const frameSamples = frameMs * samplesPerMs
/** Each half of a frame has a result of its own. */
export const stepMs = 10

/** Distinguishes speech from other sound with a neural network. It complements the voice detector where it is installed. */
export interface SpeechDetector {
  /** Begins a stream of sound. */
  open(): DetectorStream
  /** Ends its process. */
  close(): Promise<void>
}

export interface DetectorStream {
  /**
   * @param samples mono, 16 kHz, complete frames of 20 ms.
   * @returns for each frame, whether somebody speaks; undefined if the detector has failed.
   */
  push(samples: Int16Array): Promise<readonly boolean[] | undefined>
  /** Must be called after success and after failure. */
  close(): void
}

/** Hears whether a speaker has finished, with a neural network, where it is installed. */
export interface EndOfTurnModel {
  /** Starts its process, so that the first judgement does not wait for it. */
  prepare(): Promise<void>
  /**
   * @param samples the end of what was said and the silence after it: mono, 16 kHz, at most 8 s.
   * @returns `undefined` if the model has failed.
   */
  isComplete(samples: Int16Array): Promise<boolean | undefined>
  /** Ends its process. */
  close(): Promise<void>
}
