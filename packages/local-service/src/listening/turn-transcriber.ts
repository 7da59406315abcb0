import { createTurnLimit } from '../concurrency/event-loop-turns.ts'
import {
  type RecognisedUtterance,
  type Recogniser,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recognisers/recogniser.ts'
import { createPcmReader, type PcmFormat } from './pcm-reader.ts'
import { createEarlyRecognition, type EarlyRecognition } from './turn-recognition.ts'
import type { TurnModels } from './turns/turn-detector.ts'
import type { TurnRule } from './turns/turn-rule.ts'
import { createTurnSplitter, type TurnPart } from './turns/turn-splitter.ts'

export interface TurnTranscriberOptions extends PcmFormat, TurnModels, TurnHandlers {
  recogniser: Recogniser
  /** The part of the requests that is the same for all turns. */
  request: Omit<RecognitionRequest, 'onInterim'>
  rule: TurnRule
  /**
   * While this many turns are being transcribed, `write` waits. Default: `write` waits for the recogniser after each piece of
   * sound, so that nothing is ahead of it.
   */
  maxUnfinished?: number
}

/** `write` waits for the promises that these return. */
export interface TurnHandlers {
  onStart?(turn: StartedTurn): Promise<void> | void
  /** Receives the text of a turn so far, also after its end, until the recogniser has its whole text. */
  onInterim?(text: string, turn: StartedTurn): void
  /**
   * The turn may end soon, in a pause that the rule lets a model judge. @param utterance the text of the turn if it does.
   * `write` does not wait.
   */
  onPause?(utterance: EndedTurn['utterance']): void
  /** The turn goes on after that. */
  onResume?(): void
  onEnd(turn: EndedTurn): Promise<void> | void
}

/** Times count from the first sample. */
export interface StartedTurn {
  startMs: number
}

export interface EndedTurn extends StartedTurn {
  endMs: number
  /** The silence at its end. */
  silenceMs: number
  /** Its text; the times of the words count from `startMs`. Rejects if the recogniser fails. */
  utterance: Promise<RecognisedUtterance>
}

/** From audio to turns to text, while somebody speaks. The calls must follow one another. */
export interface TurnTranscriber {
  /** Takes audio in pieces of any length. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the turn because the caller wants it. `onEnd` does not get it. @returns undefined if there is none. */
  endTurn(): EndedTurn | undefined
  /** Forgets the turn that has begun. */
  dropTurn(): void
  /** Ends the audio. Resolves after the last `onEnd`. */
  end(): Promise<void>
  readonly isInTurn: boolean
  /** The length of the audio so far. */
  readonly durationMs: number
  /** Stops the transcription of the turn that has begun, and frees memory. Must be called after success and after failure. */
  close(): void
}

export async function createTurnTranscriber(
  options: TurnTranscriberOptions,
): Promise<TurnTranscriber> {
  const { onStart, onEnd } = options
  const reader = await createPcmReader(options)
  const splitter = await createTurnSplitter(options.rule, options).catch((error) => {
    reader.close()
    throw error
  })
  const turns = createTurns(options)
  const endLongTurn = createTurnLimit()
  let samplesReceived = 0

  const handle = async (part: TurnPart): Promise<void> => {
    const ended = turns.take(part)
    if (part.type === 'speechStarted') await onStart?.(part)
    if (ended) await onEnd(ended)
    await turns.haveRoom()
  }
  const takeSamples = async (pieces: Iterable<Int16Array>): Promise<void> => {
    for (const samples of pieces) {
      await endLongTurn()
      samplesReceived += samples.length
      for (const part of await splitter.push(samples)) await handle(part)
    }
  }

  return {
    write: (bytes) => takeSamples(reader.push(bytes)),
    endTurn() {
      const parts = splitter.end()
      for (const part of parts) if (part.type === 'speechStarted') void onStart?.(part)
      return parts.map(turns.take).at(-1)
    },
    dropTurn() {
      splitter.end()
      turns.drop()
    },
    async end() {
      await takeSamples([reader.end()])
      for (const part of splitter.end()) await handle(part)
    },
    get isInTurn() {
      return turns.isOpen
    },
    get durationMs() {
      return Math.round((samplesReceived * 1000) / recogniserRateHertz)
    },
    close() {
      turns.drop()
      reader.close()
      splitter.close()
    },
  }
}

/** The turn that has begun, and those that are still being transcribed. */
function createTurns(options: TurnTranscriberOptions) {
  const { maxUnfinished, onInterim } = options
  const unfinished = new Set<Promise<unknown>>()
  let current: (StartedTurn & { recognition: EarlyRecognition }) | undefined

  const watch = (utterance: EndedTurn['utterance']): EndedTurn['utterance'] => {
    const finished: Promise<unknown> = utterance
      .catch(() => {})
      .finally(() => unfinished.delete(finished))
    unfinished.add(finished)
    return utterance
  }
  return {
    /** Only starts work, so that the caller can end a turn at any time. @returns the turn that ends with the part. */
    take(part: TurnPart): EndedTurn | undefined {
      if (part.type === 'speechStarted') {
        const turn = { startMs: part.startMs }
        const report = onInterim && ((text: string) => onInterim(text, turn))
        const recognition = createEarlyRecognition({ ...options, onInterim: report })
        current = { ...turn, recognition }
      } else if (part.type === 'samples') current?.recognition.write(part.samples)
      else if (part.type === 'speechPaused' && current) {
        options.onPause?.(current.recognition.pause(part.silenceMs))
      } else if (part.type === 'speechResumed') {
        current?.recognition.resume()
        options.onResume?.()
      } else if (part.type === 'speechStopped' && current) {
        const { startMs, recognition } = current
        const { endMs, silenceMs } = part
        current = undefined
        return { startMs, endMs, silenceMs, utterance: watch(recognition.end(silenceMs)) }
      }
      return undefined
    },
    async haveRoom(): Promise<void> {
      if (maxUnfinished === undefined) return current?.recognition.taken()
      while (unfinished.size >= maxUnfinished) await Promise.race(unfinished)
    },
    drop(): void {
      current?.recognition.cancel()
      current = undefined
    },
    get isOpen() {
      return current !== undefined
    },
  }
}
