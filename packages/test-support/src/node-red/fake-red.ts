import type { NodeAPI } from 'node-red'

/** A fake runtime API: its texts are the message key and the values. */
export const RED = {
  _: (key: string, values: object) => `${key} ${JSON.stringify(values)}`,
} as NodeAPI
