import german from '../../../node-red-nodes/src/locales/de/speaker.json' with { type: 'json' }
import english from '../../../node-red-nodes/src/locales/en-US/speaker.json' with { type: 'json' }

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
