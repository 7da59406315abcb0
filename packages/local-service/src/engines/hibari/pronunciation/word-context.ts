/** What decides how a word sounds, besides its letters. */
export interface WordContext {
  tag: string
  /** Whether the next word begins with a vowel. Absent before a pause and at the end. */
  vowelFollows: boolean | undefined
  /** Whether the next word is "to". */
  toFollows: boolean
}

/** The part of speech of a tag, as the lists name it. */
export function kindOf(tag: string): string {
  if (tag.startsWith('VB')) return 'VERB'
  if (tag.startsWith('NN')) return 'NOUN'
  if (tag.startsWith('RB') || tag.startsWith('ADV')) return 'ADV'
  return tag.startsWith('JJ') || tag.startsWith('ADJ') ? 'ADJ' : tag
}
