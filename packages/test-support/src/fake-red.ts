import type { NodeAPI } from 'node-red'

/** Texts as Node-RED would look them up: the key, and what is put into the text. */
export const RED = {
  _: (key: string, values: object) => `${key} ${JSON.stringify(values)}`,
} as NodeAPI
