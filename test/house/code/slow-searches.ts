import { Script } from 'node:vm'

/**
 * A linear search of the longest text takes at most 5 ms, a quadratic one minutes, and one that looks at 1,000 characters from
 * each place a quarter of a second. The limit is far from both, because a machine that runs other tests needs up to ten times as long.
 */
export const maxMs = 100
// Short enough to try hundreds of texts, then long enough to measure the slowest of them.
const probeCharacters = 2000
const partCharacters = 8000
const partMs = 10

const sampleCharacters = Array.from(
  ' aA1.é中。😀\u0301ʃ_-*"\'<>[](){}/!`~=:;,|#%\n\t\\…«»“”「」¿❤\ud800\u00a0',
)

/** A piece of a pattern that consumes text, or one that does not: an anchor, a group, a quantifier. */
const patternPiece =
  /\(\?(?:[:=!]|<[=!]|<\w+>)|\\p\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|\[(?:\\.|[^\]\\])*\]|\{\d+,?\d*\}\??|./gisu
const consumesNothing = /^(?:[()|^$*+?]|\{\d|\(\?|\\[bB\d])/
const repeats = /^(?:[*+]|\{\d)/

/** Whether each search looks at no more characters than the pattern has: then a text takes time in proportion to its length. */
function neverRepeats({ source }: RegExp): boolean {
  return [...source.matchAll(patternPiece)].every(([piece]) => !repeats.test(piece))
}

/** Texts that the pieces of a pattern match, in the order of the pattern: letters that follow each other stay together. */
function piecesOf({ source, flags }: RegExp): string[] {
  const pieces: string[] = []
  let word = ''
  const endWord = () => {
    if (word) pieces.push(word)
    word = ''
  }
  for (const [piece] of source.matchAll(patternPiece)) {
    if (consumesNothing.test(piece)) {
      // A quantifier belongs to the last letter only.
      if (/^[*+?{]/.test(piece) && word.length > 1) pieces.push(word.slice(0, -1), word.slice(-1))
      else endWord()
      word = ''
    } else if (/^\w$/.test(piece)) word += piece
    else {
      endWord()
      const single = new RegExp(`^${piece}$`, flags.replace(/[gy]/g, ''))
      const matching = sampleCharacters.filter((character) => single.test(character))
      pieces.push(
        ...new Set([matching.at(0), matching.at(-1)].filter((text) => text !== undefined)),
      )
    }
  }
  endWord()
  return [...new Set(pieces)].slice(0, 14)
}

type MakeText = (characters: number) => string

/** Texts that repeat parts of the pattern, so that many searches begin and all of them fail late. */
function* attacksOn(expression: RegExp): Generator<MakeText, void> {
  const pieces = piecesOf(expression)
  const repeat =
    (start: string, part: string, end: string): MakeText =>
    (characters) =>
      start + part.repeat(Math.ceil(characters / part.length)) + end
  for (const end of ['', '\u0001']) {
    for (const [index, piece] of pieces.entries()) {
      const before = pieces.slice(0, index).join('')
      yield repeat('', before + piece, end)
      for (const start of new Set(['', before])) {
        for (const other of ['', ...pieces]) yield repeat(start, piece + other, end)
      }
    }
  }
}

function searchMs(expression: RegExp, text: string): number {
  return processorMs(() => {
    expression.lastIndex = 0
    if (expression.global) text.replace(expression, '')
    else expression.test(text)
  })
}

/** The processor time of this process, which does not grow when other processes use the processor. */
function processorMs(search: () => void): number {
  const before = process.cpuUsage()
  search()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The shortest of several attempts, since a garbage collection or another process can only make an attempt longer. */
function minSearchMs(expression: RegExp, text: string, enoughMs: number): number {
  let min = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 10 && min > enoughMs; attempt++) {
    min = Math.min(min, searchMs(expression, text))
    if (min > 4 * maxMs) return min
  }
  return min
}

/** @returns the slowest texts first, or `undefined` if a search takes exponential time. */
function rankAttacks(expression: RegExp, characters: number): MakeText[] | undefined {
  const rank = () =>
    [...attacksOn(expression)]
      .map((makeText) => ({ makeText, ms: searchMs(expression, makeText(characters)) }))
      .sort((one, other) => other.ms - one.ms)
      .map(({ makeText }) => makeText)
  Object.assign(globalThis, { rankOfTest: rank })
  let ranked: MakeText[] | undefined
  const tryToRank = () => {
    try {
      // Only a script has a time limit that interrupts a search.
      ranked = new Script('rankOfTest()').runInThisContext({ timeout: 500 })
    } catch {}
  }
  // On a busy machine, most of the time can pass while other processes run.
  for (let attempt = 0; attempt < 40; attempt++) {
    if (processorMs(tryToRank) > 120 || ranked) break
  }
  return ranked
}

/**
 * Tries texts that repeat parts of the expression, and searches the slowest in full length.
 * @returns the processor time for the worst text, or an estimate that is too low if a part of it already takes too long.
 */
export function worstMs(expression: RegExp, characters: number): number {
  if (neverRepeats(expression)) return 0
  const attacks = rankAttacks(expression, Math.min(probeCharacters, characters))
  if (!attacks) return Number.POSITIVE_INFINITY
  const partial = Math.min(partCharacters, characters)
  const [worst] = attacks
    .slice(0, 3)
    .map((makeText) => ({ makeText, ms: minSearchMs(expression, makeText(partial), partMs / 10) }))
    .sort((one, other) => other.ms - one.ms)
  if (!worst) return 0
  // Linear work on the part takes less than a millisecond.
  if (worst.ms > partMs) return (worst.ms * characters) / partial
  return minSearchMs(expression, worst.makeText(characters), maxMs / 2)
}
