/** A character that has a sound of its own. Punctuation has none, and most voices skip emoji. */
export const speakableCharacter = /[\p{L}\p{N}]/u

/** Whether a text contains a letter or a digit. Without one, a voice has nothing to say. */
export function hasSpeakable(text: string): boolean {
  return speakableCharacter.test(text)
}
