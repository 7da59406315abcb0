/** How much the service counted. */
export interface Usage {
  /** Characters the service counted for this utterance. */
  processedCharactersCount: number
  modelId: string | undefined
}

/** Reads `usage` wherever it comes; `undefined` where it holds no count. */
export function readUsage(usage: unknown): Usage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const { processedCharactersCount, modelId } = usage as Record<string, unknown>
  if (typeof processedCharactersCount !== 'number') return undefined
  return { processedCharactersCount, modelId: typeof modelId === 'string' ? modelId : undefined }
}

/** Lines of a stream may repeat the total, grow or end in 0, so the largest count is the one that holds. */
export function largerUsage(
  first: Usage | undefined,
  second: Usage | undefined,
): Usage | undefined {
  if (!first || !second) return first ?? second
  return second.processedCharactersCount > first.processedCharactersCount ? second : first
}
