import { parseJson, readNumber } from '../../wire/decode.ts'
import { type SpeechWarning, speechWarningsSchema } from '../../wire/speech.ts'

/** The data that the service has reported about one request so far. */
export interface SpeechReport {
  requestId?: string
  usage?: SpeechUsage
  warnings?: readonly SpeechWarning[]
}

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

/** Reads the header `x-parlando-warnings`. @returns no warnings for a value that is missing or not valid. */
export function readWarnings(header: string | undefined): SpeechWarning[] {
  return speechWarningsSchema.safeParse(parseJson(header ?? '')).data ?? []
}

/** The warnings of all pieces of an utterance, each once. */
export function joinWarnings(
  pieces: readonly (readonly SpeechWarning[] | undefined)[],
): SpeechWarning[] {
  const byMessage = pieces
    .flatMap((warnings) => warnings ?? [])
    .map((warning) => [warning.message, warning] as const)
  return [...new Map(byMessage).values()]
}
