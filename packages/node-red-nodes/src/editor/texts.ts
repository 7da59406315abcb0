import { RED } from './red.ts'

/** A text of the forms, in the language of the editor; they stand with the service node, which all forms need. */
export function text(key: string, values: Record<string, string | number> = {}): string {
  return RED._(`@parlando/node-red/parlando-service:service.editor.${key}`, values)
}
