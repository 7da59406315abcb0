const joiningWords = new Set(
  'and but or nor so yet because while when where which who that if than then after before until unless although though in on at by for from with without to of into over under between through during about as since within whether according'.split(
    ' ',
  ),
)

/** Whether a speaker of English may pause before this word: a conjunction or a preposition. */
export function isJoiningWord(word: string): boolean {
  return joiningWords.has(word.toLowerCase())
}
