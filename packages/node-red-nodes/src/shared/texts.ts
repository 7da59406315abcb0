import type { NodeAPI } from 'node-red'

/** The texts that all nodes share stand with the service node, which every flow with our nodes has loaded. */
const catalogue = '@parlando/node-red/parlando-service:service'

export function sharedText(
  RED: NodeAPI,
  key: string,
  values: Record<string, string | number> = {},
): string {
  return RED._(`${catalogue}.${key}`, values)
}
