/** Measures how long audio is while it arrives. */
export interface DurationMeter {
  /** Takes the next bytes of the audio, split anywhere. */
  push(bytes: Uint8Array): void
  /** Seconds of audio so far; `undefined` until the bytes are recognised as OGG_OPUS or FLAC. */
  readonly seconds: number | undefined
}
