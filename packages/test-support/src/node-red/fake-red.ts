import type { NodeAPI } from 'node-red'
import german from '../../../node-red-nodes/src/locales/de/speaker.json' with { type: 'json' }
import english from '../../../node-red-nodes/src/locales/en-US/speaker.json' with { type: 'json' }

/** A fake runtime API: its texts are the message key and the values. */
export const RED = {
  _: (key: string, values: object) => `${key} ${JSON.stringify(values)}`,
} as NodeAPI

type Values = Record<string, unknown>

/** The texts of the speaker node, as Node-RED gives them to its drivers. */
export const speakerTexts = { en: textsOf(english), de: textsOf(german) }

/** Other keys stay as they are. */
function textsOf(catalogue: object) {
  return {
    _(key: string, values: Values = {}): string {
      let entry: unknown = catalogue
      for (const name of key.split('.')) entry = (entry as Values | undefined)?.[name]
      const text = typeof entry === 'string' ? entry : key
      return text.replace(/__(\w+)__/g, (_match, name) => String(values[name]))
    },
  }
}
