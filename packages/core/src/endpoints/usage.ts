import type { SpeechResult } from '../wire/speech.ts'

export interface Usage {
  /** Characters the service counted for this utterance. */
  processedCharactersCount: number
  modelId: string | undefined
}

export function readUsage(result: SpeechResult): Usage | undefined {
  const { usage } = result
  if (typeof usage?.processedCharactersCount !== 'number') return undefined
  return {
    processedCharactersCount: usage.processedCharactersCount,
    modelId: usage.modelId ?? undefined,
  }
}

/** Lines of a stream may repeat the total, grow or end in 0, so the largest count is the one that holds. */
export function largerUsage(
  first: Usage | undefined,
  second: Usage | undefined,
): Usage | undefined {
  if (!first || !second) return first ?? second
  return second.processedCharactersCount > first.processedCharactersCount ? second : first
}
