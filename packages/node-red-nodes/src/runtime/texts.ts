import { isLanguageCode } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'

/** The part of Node-RED's API that returns the texts of a node, in the language of Node-RED. */
export type Texts = Pick<NodeAPI, '_'>

/** The shared texts are in the catalogue of the service node, which is always loaded. */
const catalogue = '@parlando/node-red/parlando-service:shared'

/** The key of a shared text, for a status: each editor shows the text in its own language. */
export function sharedKey(key: string): string {
  return `${catalogue}.${key}`
}

export function sharedText(
  RED: Texts,
  key: string,
  values: Record<string, string | number> = {},
): string {
  return RED._(sharedKey(key), values)
}

/** The language of Node-RED, such as `de` or `pt-BR`: that of settings.js, else that of the system, else English. */
export function nodeRedLanguage({ settings }: Pick<NodeAPI, 'settings'>): string {
  const { LC_ALL, LC_MESSAGES, LANG = '' } = process.env
  // Node-RED as well reads only the language of the system, without its region.
  const system = (LC_ALL ?? LC_MESSAGES ?? LANG).slice(0, 2)
  const language = (settings as { lang?: string }).lang || system
  return isLanguageCode(language) ? language : 'en-US'
}

/** The first of the settings that is the code of a language; without one, that of Node-RED. */
export function chosenLanguage(RED: Pick<NodeAPI, 'settings'>, ...settings: unknown[]): string {
  const codes = settings.filter((setting) => typeof setting === 'string')
  return codes.find(isLanguageCode) ?? nodeRedLanguage(RED)
}
