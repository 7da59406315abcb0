import { hasUnspacedScript } from './scripts.ts'

/** Words of scripts without spaces have one or two characters. */
const minUnspacedCharacters = 4

/** Whether the text has more than one word. Recognisers take a noise for a single word, but rarely for several. */
export function hasSeveralWords(text: string): boolean {
  const trimmed = text.trim()
  return /\s/.test(trimmed) || (hasUnspacedScript(text) && trimmed.length >= minUnspacedCharacters)
}
