/** The tokens of a model: parts of words, of which the first one of a word begins with ▁. */
export type Tokens = readonly string[]

const maxHotwords = 100
const special = /^<.*>$/

/** @param text the file `tokens.txt`: a token and its number in each line. */
export function readTokens(text: string): Tokens {
  return text
    .split('\n')
    .map((line) => line.slice(0, Math.max(0, line.lastIndexOf(' '))))
    .filter(Boolean)
}

/** The output of many models has capital letters only, which is hard to read. */
export function hasCapitalsOnly(tokens: Tokens): boolean {
  const letters = tokens.filter((token) => !special.test(token)).join('')
  return /\p{Lu}/u.test(letters) && !/\p{Ll}/u.test(letters)
}

/**
 * The vocabulary with which sherpa-onnx divides expected words into tokens. Published models often lack it, but the order
 * of the tokens is that of their scores.
 * @returns undefined if the tokens are not parts of words, as in Chinese models.
 */
export function toVocabulary(tokens: Tokens): string | undefined {
  if (!tokens.some((token) => /^▁\p{L}/u.test(token))) return undefined
  if (tokens.some((token) => /\p{Script=Han}/u.test(token))) return undefined
  let rank = 0
  const lines = tokens.map((token) => `${token}\t${special.test(token) ? 0 : -rank++}\n`)
  return lines.join('')
}

/** @returns the expected words in the format of the model, without those that it cannot spell. */
export function toHotwords(prompts: readonly string[], tokens: Tokens): string[] {
  const known = new Set(tokens)
  const maxLength = Math.max(...tokens.map((token) => token.length))
  const isCapital = hasCapitalsOnly(tokens)
  const canSpell = (word: string) => {
    let rest = `▁${word}`
    while (rest) {
      let length = Math.min(maxLength, rest.length)
      while (length > 0 && !known.has(rest.slice(0, length))) length -= 1
      if (length === 0) return false
      rest = rest.slice(length)
    }
    return true
  }
  return (
    prompts
      .slice(0, maxHotwords)
      // The tokens have each accent in one character with its letter.
      .map((prompt) => prompt.normalize('NFC'))
      .map((prompt) => (isCapital ? prompt.toUpperCase() : prompt))
      .map((prompt) => prompt.replace(/[^\p{L}\p{N}']+/gu, ' ').trim())
      .filter((prompt) => prompt !== '' && prompt.split(' ').every(canSpell))
  )
}
