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
  /**
   * Shared memory: the number of the last phrase that was posted, and then, for each phrase that the thread has at a time, whether to stop it.
   * The first phrase is 1.
   */
  signal: Int32Array
}

/** Phrases that a thread has at a time: one speaks, the others are interrupted. */
export const maxPhrases = 4

/** A phrase on its way to the thread. */
export interface PostedPhrase<Phrase extends ThreadPhrase> {
  number: number
  /** Where the signal says whether to stop it. */
  place: number
  phrase: Phrase
}

/** What a thread reports of a phrase: its sound in pieces, then its end or, in a sentence for the caller, why it has failed. */
export type PhraseReport<Sound extends PieceOfSound> = { number: number } & (
  | { sound: Sound }
  | { end: PhraseEnd }
  | { failure: string }
)

/** The phrases of a thread, from inside. The methods are about the phrase that was taken last and has not ended. */
export interface ServedPhrases<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  /** What the program was given. */
  readonly given: unknown
  /** Blocks until there is a phrase: speech is made without returning to the event loop. */
  next(): Phrase
  /** A phrase that has to be spoken before the present one goes on, if there is one. */
  nextUrgent(): Phrase | undefined
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
  /** The phrases that have not ended, the present one last. */
  const present: { number: number; place: number }[] = []
  let takenNumber = 0
  const take = () => {
    const received = receiveMessageOnPort(port) as { message: PostedPhrase<Phrase> } | undefined
    if (!received) return undefined
    const { number, place, phrase } = received.message
    takenNumber = number
    present.push({ number, place })
    return phrase
  }
  return {
    given,
    next() {
      for (;;) {
        const counter = Atomics.load(signal, 0)
        const phrase = take()
        if (phrase) return phrase
        Atomics.wait(signal, 0, counter)
      }
    },
    nextUrgent: () => (Atomics.load(signal, 0) === takenNumber ? undefined : take()),
    passOn(sound) {
      report({ number: present.at(-1)!.number, sound }, [sound.samples.buffer as ArrayBuffer])
    },
    isStopped() {
      const place = present.at(-1)?.place
      // Without a phrase, an engine is being prepared.
      return place !== undefined && Atomics.load(signal, place) === 1
    },
    end: (end) => report({ number: present.pop()!.number, end }),
    fail: (failure) => report({ number: present.pop()!.number, failure }),
  }
}
