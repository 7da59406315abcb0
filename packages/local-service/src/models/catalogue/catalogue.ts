import type { ModelKind } from '../sherpa/model-kind.ts'
import entries from './catalogue.json' with { type: 'json' }
import type { CatalogueEntry } from './entry.ts'
import { ModelError } from './model-error.ts'

/** Every model that the commands offer. Nobody of this project has downloaded an entry whose `checkedOn` is `null`. */
export const catalogue = entries as readonly CatalogueEntry[]

/** @throws {ModelError} if the name is unknown; it lists those that are known. */
export function findEntry(
  kind: ModelKind,
  name: string,
  among: readonly CatalogueEntry[] = catalogue,
): CatalogueEntry {
  const offered = among.filter((entry) => entry.kind === kind)
  const found = offered.find((entry) => entry.name === name || entry.folder === name)
  if (found) return found
  const names = offered.map((entry) => entry.name).join(', ')
  throw new ModelError('UNKNOWN_MODEL', `Unknown ${kind}: ${name}. The catalogue has ${names}`)
}
