/**
 * Turns interim transcripts, which a recogniser may correct, into deltas, which a client cannot take back. A word is sent
 * when two interim transcripts in a row agree about it.
 */
export class TranscriptDeltas {
  #sent = ''
  #latest = ''

  /** Takes an interim transcript. @returns what follows what was sent; empty if nothing is certain. */
  push(interim: string): string {
    const agreed = agreedWords(this.#latest, interim)
    this.#latest = interim
    return this.#advance(agreed)
  }

  /** Takes the final transcript. @returns its rest; empty if the recogniser has corrected what was sent. */
  end(transcript: string): string {
    return this.#advance(transcript)
  }

  #advance(text: string): string {
    if (text.length <= this.#sent.length || !text.startsWith(this.#sent)) return ''
    const delta = text.slice(this.#sent.length)
    this.#sent = text
    return delta
  }
}

/** The whole words with which both begin. */
function agreedWords(first: string, second: string): string {
  if (first === second) return first
  let length = 0
  while (length < first.length && first[length] === second[length]) length++
  return first.slice(0, Math.max(0, second.lastIndexOf(' ', length)))
}
