import type { RecognisedUtterance } from '../recognisers/recogniser.ts'
import {
  createTurnRecognition,
  type TurnRecognition,
  type TurnRecognitionOptions,
} from './turn-recognition.ts'

/** The recognition of a turn that starts before its end is certain. */
export interface EarlyRecognition extends TurnRecognition {
  /**
   * The turn may end here: recognises what was written so far.
   * @param silenceMs the silence so far. @returns the text of the turn if it ends in this pause.
   */
  pause(silenceMs: number): Promise<RecognisedUtterance>
  /** The turn goes on: forgets that text, and recognises the turn again from its start. */
  resume(): void
}

/** Keeps the samples of the turn, at most a megabyte: a recogniser that was asked for its final text takes no more of them. */
export function createEarlyRecognition(options: TurnRecognitionOptions): EarlyRecognition {
  const heard: Int16Array[] = []
  let recognition = createTurnRecognition(options)
  let early: Promise<RecognisedUtterance> | undefined
  return {
    write(samples) {
      heard.push(samples)
      if (!early) recognition.write(samples)
    },
    taken: () => recognition.taken(),
    pause(silenceMs) {
      early ??= recognition.end(silenceMs)
      early.catch(() => {})
      return early
    },
    resume() {
      recognition.cancel()
      early = undefined
      recognition = createTurnRecognition(options)
      for (const samples of heard) recognition.write(samples)
    },
    end: (silenceMs) => early ?? recognition.end(silenceMs),
    cancel: () => recognition.cancel(),
  }
}
