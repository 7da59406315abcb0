/** A phrase as a thread receives it. */
export interface ThreadPhrase {
  text: string
  /** How many of its samples a thread that died has passed on. They are left out. Default: 0. */
  passedOnSamples?: number
}

/** A piece of the speech for a phrase. */
export interface PieceOfSound {
  /** Mono, −1…1. */
  samples: Float32Array
}

/** The end of a phrase. */
export interface PhraseEnd {
  /** Whether it ended before its last piece. */
  isStopped: boolean
  /** The memory that the thread uses for speech. */
  memoryBytes: number
}

export interface ThreadData {
  /** What the program was given. */
  given: unknown
  /** Shared memory: the number of the last phrase that was posted, and that of the phrase to stop. The first is 1. */
  signal: Int32Array
}

/** What a thread reports of a phrase: its sound in pieces, then its end or, in a sentence for the caller, why it has failed. */
export type PhraseReport<Sound extends PieceOfSound> =
  | { sound: Sound }
  | { end: PhraseEnd }
  | { failure: string }
