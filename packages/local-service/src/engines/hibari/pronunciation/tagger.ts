import type { TextTable } from './text-table.ts'
import type { Token } from './tokens.ts'

/** Finds the parts of speech: how "read" and "live" sound depends on them. An averaged perceptron. */
export interface Tagger {
  /** Sets the tag of each token of a sentence. */
  tag(tokens: readonly Token[]): void
}

export interface TaggerTables {
  /** The tags of words that have only one. */
  tags: TextTable
  /** For each feature, the weights of tags, by their index: `12:3.5 14:-2`. */
  features: TextTable
  /** Words that features name. */
  frequentWords: TextTable
}

const start = ['-START2-', '-START-']
const end = ['-END-', '-END2-']

export function createTagger(
  { tags, features, frequentWords }: TaggerTables,
  names: readonly string[],
): Tagger {
  const nameOf = (word: string) => {
    const normal = normalize(word)
    return frequentWords.get(normal) === undefined ? `<${shapeOf(word)}>` : normal
  }

  const predict = (given: readonly string[]): string => {
    const scores = new Map<number, number>()
    for (const feature of given) {
      for (const pair of features.get(feature)?.split(' ') ?? []) {
        const [index = '', weight = ''] = pair.split(':')
        scores.set(Number(index), (scores.get(Number(index)) ?? 0) + Number(weight))
      }
    }
    if (scores.size === 0) return 'NN'
    const ranked = names.map((name, index) => ({ name, score: scores.get(index) ?? 0 }))
    return ranked.reduce((best, other) =>
      other.score > best.score || (other.score === best.score && other.name > best.name)
        ? other
        : best,
    ).name
  }

  return {
    tag(tokens) {
      const context = [...start, ...tokens.map(({ text }) => nameOf(text)), ...end]
      let [beforeLast, last] = start as [string, string]
      tokens.forEach((token, index) => {
        token.tag =
          tags.get(token.text) ?? predict(featuresOf(token.text, index, context, last, beforeLast))
        beforeLast = last
        last = token.tag
      })
    },
  }
}

function featuresOf(
  word: string,
  index: number,
  context: readonly string[],
  last: string,
  beforeLast: string,
): string[] {
  const [farBefore, before, own, after, farAfter] = context.slice(index, index + 5) as [
    string,
    string,
    string,
    string,
    string,
  ]
  return [
    'b',
    `s3=${word.slice(-3)}`,
    `p1=${word[0]}`,
    `w=${own}`,
    `sh=${shapeOf(word)}`,
    index === 0 ? 'i0' : 'i+',
    `t-1=${last}`,
    `t-2=${beforeLast}`,
    `t-12=${last},${beforeLast}`,
    `w-1=${before}`,
    `s3-1=${before.slice(-3)}`,
    `w-2=${farBefore}`,
    `w+1=${after}`,
    `s3+1=${after.slice(-3)}`,
    `w+2=${farAfter}`,
  ]
}

function normalize(word: string): string {
  if (word.includes('-') && !word.startsWith('-')) return '!HYPHEN'
  if (/^\d{4}$/.test(word)) return '!YEAR'
  return /^\d/.test(word) ? '!DIGITS' : word.toLowerCase()
}

function shapeOf(word: string): string {
  if (/^\p{L}+$/u.test(word)) {
    if (word === word.toLowerCase()) return 'x'
    if (word === word.toUpperCase()) return word.length > 1 ? 'XX' : 'X1'
    return /^\p{Lu}\p{Ll}+$/u.test(word) ? 'Xx' : 'xX'
  }
  if (/^\d+$/.test(word)) return 'd'
  return word.slice(0, 4).replace(/\d|\p{L}/gu, (character) => (/\d/.test(character) ? 'd' : 'x'))
}
