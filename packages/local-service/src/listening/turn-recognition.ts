import { EngineError } from '../engine-error.ts'
import {
  type RecognisedUtterance,
  type Recogniser,
  type Recognition,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recognisers/recogniser.ts'

/** The recognition of one turn. */
export interface TurnRecognition {
  /** Resolves when the recogniser wants more. */
  write(samples: Int16Array): Promise<void>
  /** @param silenceMs the silence at the end of the turn. */
  end(silenceMs: number): Promise<RecognisedUtterance>
}

const defaultFinalSilenceMs = 660

/**
 * Keeps the samples of the turn, at most a megabyte, so that a recogniser that fails in the middle, such as a process that
 * was killed, can start again once.
 */
export function createTurnRecognition(
  recogniser: Recogniser,
  request: RecognitionRequest,
): TurnRecognition {
  const model = recogniser.models.find(({ modelId }) => modelId === request.modelId)
  const finalSilenceMs = model?.finalSilenceMs ?? defaultFinalSilenceMs
  const pieces: Int16Array[] = []
  let opening = recogniser.open(request)
  // The next call of a method reports the failure.
  opening.catch(() => {})
  let hasRestarted = false

  const attempt = async <Result>(
    work: (recognition: Recognition) => Promise<Result>,
    written: number,
  ): Promise<Result> => {
    try {
      return await work(await opening)
    } catch (error) {
      const isLost = error instanceof EngineError && error.kind === 'unavailable'
      if (!isLost || hasRestarted || request.signal.aborted) throw error
      hasRestarted = true
      opening = recogniser.open(request)
      const recognition = await opening
      for (const piece of pieces.slice(0, written)) await recognition.write(piece)
      return work(recognition)
    }
  }

  return {
    async write(samples) {
      await attempt((recognition) => recognition.write(samples), pieces.length)
      pieces.push(samples)
    },
    async end(silenceMs) {
      const missingMs = Math.max(0, finalSilenceMs - silenceMs)
      const padding = new Int16Array((missingMs * recogniserRateHertz) / 1000)
      return attempt(async (recognition) => {
        if (padding.length > 0) await recognition.write(padding)
        return recognition.end()
      }, pieces.length)
    },
  }
}
