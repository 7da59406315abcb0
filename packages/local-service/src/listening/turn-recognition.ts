import { EngineError } from '../errors/engine-error.ts'
import {
  type RecognisedUtterance,
  type Recogniser,
  type Recognition,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recognisers/recogniser.ts'

/** The recognition of one turn. What is written waits for the recogniser, in order. */
export interface TurnRecognition {
  write(samples: Int16Array): void
  /** Resolves when the recogniser has taken everything and wants more. Rejects if it has failed. */
  taken(): Promise<void>
  /** @param silenceMs the silence at the end of the turn. @returns the text, after everything that was written. */
  end(silenceMs: number): Promise<RecognisedUtterance>
  cancel(): void
}

export interface TurnRecognitionOptions {
  recogniser: Recogniser
  request: Omit<RecognitionRequest, 'onInterim'>
  onInterim?(text: string): void
}

const defaultFinalSilenceMs = 660

/**
 * Keeps the samples of the turn, at most a megabyte, so that a recogniser that fails in the middle, such as a process that
 * was killed, can start again once.
 */
export function createTurnRecognition(options: TurnRecognitionOptions): TurnRecognition {
  const { recogniser, onInterim } = options
  const cancelling = new AbortController()
  const signal = AbortSignal.any([options.request.signal, cancelling.signal])
  const request: RecognitionRequest = { ...options.request, signal, onInterim }
  const model = recogniser.models.find(({ modelId }) => modelId === request.modelId)
  const finalSilenceMs = model?.finalSilenceMs ?? defaultFinalSilenceMs
  const pieces: Int16Array[] = []
  let opening = recogniser.open(request)
  // The next call of a method reports the failure.
  opening.catch(() => {})
  let hasRestarted = false
  let written: Promise<void> = Promise.resolve()

  const attempt = async <Result>(
    work: (recognition: Recognition) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work(await opening)
    } catch (error) {
      const isLost = error instanceof EngineError && error.kind === 'unavailable'
      if (!isLost || hasRestarted || signal.aborted) throw error
      hasRestarted = true
      opening = recogniser.open(request)
      const recognition = await opening
      for (const piece of pieces) await recognition.write(piece)
      return work(recognition)
    }
  }
  const finish = async (silenceMs: number): Promise<RecognisedUtterance> => {
    await written
    const missingMs = Math.max(0, finalSilenceMs - silenceMs)
    const padding = new Int16Array((missingMs * recogniserRateHertz) / 1000)
    return attempt(async (recognition) => {
      if (padding.length > 0) await recognition.write(padding)
      return recognition.end()
    })
  }

  return {
    write(samples) {
      written = written.then(async () => {
        await attempt((recognition) => recognition.write(samples))
        pieces.push(samples)
      })
      written.catch(() => {})
    },
    taken: () => written,
    end: (silenceMs) =>
      finish(silenceMs).catch((error) => {
        // The recogniser may still wait for the end, in a slot.
        cancelling.abort()
        throw error
      }),
    cancel: () => cancelling.abort(),
  }
}

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
