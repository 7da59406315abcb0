import type { NodeAPI } from 'node-red'

/** Returns the key and the values instead of a localised text. */
export const RED = {
  _: (key: string, values: object) => `${key} ${JSON.stringify(values)}`,
} as NodeAPI
