// [BLANK_AUDIO], [Music] and the <|en|> of multilingual models, and notes in a song.
const tags = /\[[^[\]]*\]|<\|[^<|>]*\|>|[♪♫]/g
// A transcript that consists of such remarks only: (wind blowing), *sighs*.
const remarks = /\([^()]*\)|\*[^*]*\*/g
const maxRepetitions = 2

/** Removes text that Whisper and its relatives add for silence and noise: tags, and a sentence repeated in a loop. */
export function cleanTranscript(text: string): string {
  const untagged = text.replace(tags, ' ').replace(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(untagged.replace(remarks, ''))) return ''
  return withoutLoops(untagged)
}

/** Keeps one of three or more equal sentences in a row. */
function withoutLoops(text: string): string {
  const sentences = text.match(/[^.!?。！？]*[.!?。！？]*/gu) ?? []
  const kept: string[] = []
  let from = 0
  while (from < sentences.length) {
    let to = from + 1
    while (to < sentences.length && normalise(sentences[to]!) === normalise(sentences[from]!))
      to += 1
    const isLoop = to - from > maxRepetitions
    kept.push(...sentences.slice(from, isLoop ? from + 1 : to))
    from = to
  }
  return kept.join('').trim()
}

function normalise(sentence: string): string {
  return sentence.trim().toLowerCase()
}

/** Removes the words that `cleanTranscript` has removed from the text. */
export function cleanWords<Word extends { text: string }>(
  words: readonly Word[],
  { text, cleaned }: { text: string; cleaned: string },
): readonly Word[] {
  let rest = lettersOf(cleaned)
  // Words can be spelt differently from the text: "twenty" and "20".
  if (lettersOf(text) === rest) return words
  return words.filter((word) => {
    const letters = lettersOf(word.text)
    const isKept = letters !== '' && rest.startsWith(letters)
    if (isKept) rest = rest.slice(letters.length)
    return isKept
  })
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
