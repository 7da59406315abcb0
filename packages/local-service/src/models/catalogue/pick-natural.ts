import { languageOf } from '@parlando/core/text'
import type { CatalogueEntry } from './entry.ts'
import { type Machine, misfit } from './machine.ts'
import { ModelError } from './model-error.ts'

/**
 * Chooses voices for the alias `natural`: one model for all the languages if the machine is fast enough for it, otherwise a
 * small one for each.
 * @param languages such as `de` or `pt-BR`.
 * @throws {ModelError} if no voice of the catalogue fits.
 */
export function pickNatural(
  entries: readonly CatalogueEntry[],
  machine: Machine,
  languages: readonly string[],
): CatalogueEntry[] {
  const candidates = entries.filter((entry) => entry.isNatural && !misfit(entry, machine))
  const speaks = (entry: CatalogueEntry, language: string) =>
    entry.languages.some((each) => languageOf(each) === languageOf(language))
  const one = candidates.find((entry) => languages.every((language) => speaks(entry, language)))
  if (one) return [one]
  return languages.map((language) => {
    const found = candidates.find((entry) => speaks(entry, language))
    if (found) return found
    throw new ModelError(
      'UNKNOWN_MODEL',
      machine.unsupported ??
        `No voice of the catalogue speaks ${language} and fits this machine. List all: parlando-local voices`,
    )
  })
}
