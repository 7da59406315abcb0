import { RED } from './red.ts'

/** A shared text of the forms in the language of the editor, from the catalogue of the service node. */
export function text(key: string, values: Record<string, string | number> = {}): string {
  return RED._(`@parlando/node-red/parlando-service:service.editor.${key}`, values)
}
