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

/** Phrases that a thread has at a time. It works on one of them. */
export const maxPhrases = 4

/** Where the memory that both sides share contains what. */
export const shared = {
  /** The number of the last phrase that was posted. The first one is 1. */
  posted: 0,
  /** The number of the phrase that the thread works on. */
  present: 1,
  /** Whether to stop a phrase. @param place of the phrase among those of the thread. */
  stop: (place: number) => 2 + 2 * place,
  /** How urgent a phrase is: the lowest number comes first. */
  rank: (place: number) => 3 + 2 * place,
  length: 2 + 2 * maxPhrases,
}

export interface ThreadData {
  /** What the program was given. */
  given: unknown
  /** See {@link shared}. */
  signal: Int32Array
}

/** A phrase on its way to the thread. */
export interface PostedPhrase<Phrase extends ThreadPhrase> {
  number: number
  place: number
  phrase: Phrase
}

/** What a thread reports of a phrase: its sound in pieces, then its end or, in a sentence for the caller, why it has failed. */
export type PhraseReport<Sound extends PieceOfSound> = { number: number } & (
  | { sound: Sound }
  | { end: PhraseEnd }
  | { failure: string }
)

/** A phrase of a thread, from inside. */
export interface ServedPhrase<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  readonly phrase: Phrase
  /** Passes on the samples, which cannot be used afterwards. */
  passOn(sound: Sound): void
  /** Whether to end the phrase before its last piece. */
  isStopped(): boolean
  end(end: PhraseEnd): void
  /** Ends the phrase, which cannot be spoken. The thread can speak the next one. @param reason a sentence for the caller. */
  fail(reason: string): void
}

/** The phrases of a thread, from inside. */
export interface ServedPhrases<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  /** What the program was given. */
  readonly given: unknown
  /** The most urgent phrase: one that is to be stopped, or the one that is needed first. */
  peek(): ServedPhrase<Phrase, Sound> | undefined
  /** The same, to work on it now. Blocks until there is one: speech is made without returning to the event loop. */
  next(): ServedPhrase<Phrase, Sound>
}

export function servePhrases<
  Phrase extends ThreadPhrase,
  Sound extends PieceOfSound,
>(): ServedPhrases<Phrase, Sound> {
  const port = parentPort!
  const { given, signal } = workerData as ThreadData
  /** Those that have not ended, the newest first. */
  let served: (ServedPhrase<Phrase, Sound> & { number: number; rank(): number })[] = []
  let takenNumber = 0

  const report = (message: PhraseReport<Sound>, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)

  const take = ({ number, place, phrase }: PostedPhrase<Phrase>) => {
    takenNumber = number
    const isStopped = () => Atomics.load(signal, shared.stop(place)) === 1
    const leave = () => {
      served = served.filter((one) => one.number !== number)
    }
    served.unshift({
      number,
      phrase,
      isStopped,
      rank: () => (isStopped() ? -1 : Atomics.load(signal, shared.rank(place))),
      passOn(sound) {
        report({ number, sound }, [sound.samples.buffer as ArrayBuffer])
      },
      end(end) {
        leave()
        report({ number, end })
      },
      fail(failure) {
        leave()
        report({ number, failure })
      },
    })
  }

  const findNext = () => {
    while (Atomics.load(signal, shared.posted) !== takenNumber) {
      const received = receiveMessageOnPort(port) as { message: PostedPhrase<Phrase> } | undefined
      if (!received) break
      take(received.message)
    }
    const ranks = served.map((phrase) => phrase.rank())
    return served[ranks.indexOf(Math.min(...ranks))]
  }

  return {
    given,
    peek: findNext,
    next() {
      for (;;) {
        const posted = Atomics.load(signal, shared.posted)
        const phrase = findNext()
        if (phrase) {
          Atomics.store(signal, shared.present, phrase.number)
          return phrase
        }
        Atomics.wait(signal, shared.posted, posted)
      }
    },
  }
}
