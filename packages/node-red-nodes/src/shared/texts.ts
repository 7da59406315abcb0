import type { NodeAPI } from 'node-red'

/** The shared texts are in the catalogue of the service node, which is always loaded. */
const catalogue = '@parlando/node-red/parlando-service:service'

export function sharedText(
  RED: NodeAPI,
  key: string,
  values: Record<string, string | number> = {},
): string {
  return RED._(`${catalogue}.${key}`, values)
}
