import { openAiModels } from '../openai-names.ts'

/**
 * Reads the names by which callers know models.
 * @param aliases such as `fast=svc-tts-2-flash`. They override the names of the OpenAI API.
 * @param options strict: without the names of the OpenAI API, which the hosted service rejects.
 */
export function readModelAliases(
  aliases: readonly string[],
  { strict }: { strict: boolean },
): ReadonlyMap<string, string> {
  const given = aliases.map((alias) => alias.split('=', 2) as [string, string])
  return new Map([...(strict ? [] : Object.entries(openAiModels)), ...given])
}
