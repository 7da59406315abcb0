// What takes the bytes of audio while they arrive.

/** Joins the files of several responses into one file, while their bytes arrive. The bytes may be split anywhere. */
export interface FileJoiner {
  /** @returns the bytes to append to the file; empty if all of them wait for the next chunk. */
  push(chunk: Uint8Array): Uint8Array
  /** Ends a piece before the next one. @returns the bytes that waited for the end of the piece. */
  nextPiece(): Uint8Array
  /** Ends the last piece. @returns the bytes that waited for the end of the file. */
  end(): Uint8Array
}

/** Joins the chunks of one utterance into one file. */
export interface AudioJoiner extends FileJoiner {
  /** The actual sample rate: the requested one, or the rate in the first header. */
  readonly sampleRateHertz: number
}

/** Measures how long audio is while it arrives. */
export interface DurationMeter {
  /** Takes the next bytes of the audio, split anywhere. */
  push(bytes: Uint8Array): void
  /** Seconds of audio so far; `undefined` until the bytes are recognised as OGG_OPUS or FLAC. */
  readonly seconds: number | undefined
}
