import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

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

/** The phrases of a thread, from inside. */
export interface ServedPhrases<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  /** What the program was given. */
  readonly given: unknown
  /** Blocks until there is a phrase: speech is made without returning to the event loop. */
  next(): Phrase
  /** Passes on the samples, which cannot be used afterwards. */
  passOn(sound: Sound): void
  /** Whether to end the phrase before its last piece. */
  isStopped(): boolean
  end(end: PhraseEnd): void
  /** Ends the phrase, which cannot be spoken. The thread can speak the next one. @param reason a sentence for the caller. */
  fail(reason: string): void
}

export function servePhrases<
  Phrase extends ThreadPhrase,
  Sound extends PieceOfSound,
>(): ServedPhrases<Phrase, Sound> {
  const port = parentPort!
  const { given, signal } = workerData as ThreadData
  const report = (message: PhraseReport<Sound>, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)
  let phraseNumber = 0
  return {
    given,
    next() {
      for (;;) {
        const counter = Atomics.load(signal, 0)
        const received = receiveMessageOnPort(port) as { message: Phrase } | undefined
        if (received) {
          phraseNumber += 1
          return received.message
        }
        Atomics.wait(signal, 0, counter)
      }
    },
    passOn: (sound) => report({ sound }, [sound.samples.buffer as ArrayBuffer]),
    isStopped: () => Atomics.load(signal, 1) === phraseNumber,
    end: (end) => report({ end }),
    fail: (failure) => report({ failure }),
  }
}
