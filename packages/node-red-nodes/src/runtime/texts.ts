import type { NodeAPI } from 'node-red'

/** The shared texts are in the catalogue of the service node, which is always loaded. */
const catalogue = '@parlando/node-red/parlando-service:shared'

/** The key of a shared text, for a status: each editor shows the text in its own language. */
export function sharedKey(key: string): string {
  return `${catalogue}.${key}`
}

export function sharedText(
  RED: Pick<NodeAPI, '_'>,
  key: string,
  values: Record<string, string | number> = {},
): string {
  return RED._(sharedKey(key), values)
}
