import { readNumber } from '../../wire/number.ts'

/** The usage that the service counted. */
export interface SpeechUsage {
  /** Characters of the text. */
  processedCharactersCount: number
  modelId: string | undefined
}

/** Reads `usage` from a response; `undefined` if it contains no count. */
export function readUsage(usage: unknown): SpeechUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const { processedCharactersCount: count, modelId } = usage as Record<string, unknown>
  const processedCharactersCount = readNumber(count)
  if (typeof processedCharactersCount !== 'number') return undefined
  return { processedCharactersCount, modelId: typeof modelId === 'string' ? modelId : undefined }
}

/** The total of one request: its lines may repeat the total, count up or end with 0, so the largest count is right. */
export function largerUsage(
  first: SpeechUsage | undefined,
  second: SpeechUsage | undefined,
): SpeechUsage | undefined {
  if (!first || !second) return first ?? second
  return second.processedCharactersCount > first.processedCharactersCount ? second : first
}

/** The total of two requests. */
export function addUsage(
  first: SpeechUsage | undefined,
  second: SpeechUsage | undefined,
): SpeechUsage | undefined {
  if (!first || !second) return first ?? second
  return {
    processedCharactersCount: first.processedCharactersCount + second.processedCharactersCount,
    modelId: first.modelId ?? second.modelId,
  }
}
