import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type {
  PhraseEnd,
  PhraseReport,
  PieceOfSound,
  ThreadData,
  ThreadPhrase,
} from './thread-protocol.ts'

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
