import { parseJson } from '../../wire/json.ts'
import { type SpeechWarning, speechWarningsSchema } from '../../wire/speech.ts'

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
