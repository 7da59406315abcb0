import { hasUnspacedScript } from './scripts.ts'

/** A character that has a sound of its own. Punctuation has none, and most voices skip emoji. */
export const speakableCharacter = /[\p{L}\p{N}]/u

/** Words of scripts without spaces have one or two characters. */
const minUnspacedCharacters = 4

const joiningWords = new Set(
  'and but or nor so yet because while when where which who that if than then after before until unless although though in on at by for from with without to of into over under between through during about as since within whether according'.split(
    ' ',
  ),
)

/** Whether a text contains a letter or a digit. Without one, a voice has nothing to say. */
export function hasSpeakable(text: string): boolean {
  return speakableCharacter.test(text)
}

/** Whether the text has more than one word. Recognisers take a noise for a single word, but rarely for several. */
export function hasSeveralWords(text: string): boolean {
  const trimmed = text.trim()
  return /\s/.test(trimmed) || (hasUnspacedScript(text) && trimmed.length >= minUnspacedCharacters)
}

/** Whether a speaker of English may pause before this word: a conjunction or a preposition. */
export function isJoiningWord(word: string): boolean {
  return joiningWords.has(word.toLowerCase())
}
