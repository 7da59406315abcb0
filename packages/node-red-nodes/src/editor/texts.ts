import { RED } from './red.ts'

type Values = Record<string, string | number>

// The build adds both groups of texts to the catalogue of the service node, which is always loaded.
const catalogue = '@parlando/node-red/parlando-service'

/** A text of the forms, in the language of the editor. */
export function text(key: string, values: Values = {}): string {
  return RED._(`${catalogue}:editor.${key}`, values)
}

/** A text that forms share with running nodes. */
export function sharedText(key: string, values: Values = {}): string {
  return RED._(`${catalogue}:shared.${key}`, values)
}
