/** A word, a part of one, or a punctuation mark. */
export interface Token {
  text: string
  /** The part of speech, by the names of the Penn Treebank. */
  tag: string
  /** Whether a space follows. */
  hasSpace: boolean
  /** Absent until it is known. Empty for what is not spoken. */
  phonemes?: string
}

/** The parts of contractions and abbreviations, such as `do` and `n't`. */
export type Contractions = Readonly<Record<string, readonly string[]>>

// The rules of spaCy for English (MIT), for Latin letters.
const punctuation = '…,:;!?¿¡()[]{}<>_#*&。？！，、；：～·'
const quotes = `'"”“\`‘´’‚,„»«「」『』（）〔〕【】《》〈〉`
const icons = '™®©°§¶†‡•'
const escapeSet = (characters: string) => characters.replace(/[\\\]^[-]/g, '\\$&')
const marks = `[${escapeSet(punctuation + quotes + icons)}]`
const currency = '(?:US\\$|C\\$|A\\$|[$£€¥฿₽₹₩₪₺₴₦₫₱₲₵₸₼₾₿])'
const lower = 'a-zß-öø-ÿ'
const upper = 'A-ZÀ-ÖØ-Þ'

const prefix = new RegExp(`^(?:§|%|=|—|–|\\+(?![0-9])|${marks}|\\.\\.+|${currency})`, 'u')
const suffix = new RegExp(
  `(?:${marks}|\\.\\.+|['’][sS]|—|–|(?<=[0-9])\\+|(?<=[0-9${lower}%²\\-+${escapeSet(punctuation + quotes)}])\\.|(?<=[${upper}][${upper}])\\.)$`,
  'u',
)
const infix = new RegExp(
  [
    `\\.\\.+|…|[${icons}]|(?<=[0-9])[+\\-*^](?=[0-9-])`,
    `(?<=[${lower}${escapeSet(quotes)}])\\.(?=[${upper}${escapeSet(quotes)}])`,
    `(?<=\\p{L}),(?=\\p{L})|(?<=[\\p{L}\\p{N}])(?:---|——|--|-|–|—|~)(?=\\p{L})|(?<=[\\p{L}\\p{N}])[:<>=/](?=\\p{L})`,
  ].join('|'),
  'gu',
)
/** Longer words are nonsense. They are cut, because the search for their parts takes the square of their length. */
const longWord = /[\s\S]{1,100}/g

/** Cuts a text into tokens, without tags. */
export function tokenize(text: string, contractions: Contractions): Token[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.flatMap((word, index) => {
    const pieces = word.match(longWord)!
    const parts = pieces.flatMap((piece) => splitWord(piece, contractions))
    const isLast = index === words.length - 1
    return parts.map((part, place) => ({
      text: part,
      tag: '',
      hasSpace: !isLast && place === parts.length - 1,
    }))
  })
}

function splitWord(word: string, contractions: Contractions): readonly string[] {
  const known = (part: string) =>
    Object.hasOwn(contractions, part) ? contractions[part] : undefined
  const whole = known(word)
  if (whole) return whole
  const before: string[] = []
  const after: string[] = []
  let rest = word
  while (rest !== '' && !known(rest)) {
    const first = prefix.exec(rest)?.[0] ?? ''
    const last = suffix.exec(rest.slice(first.length))?.[0] ?? ''
    const withoutFirst = rest.slice(first.length)
    const withoutLast = rest.slice(0, rest.length - last.length)
    if (first !== '') before.push(first)
    if (first !== '' && known(withoutFirst)) {
      rest = withoutFirst
    } else if (last !== '' && known(withoutLast) && first === '') {
      after.unshift(last)
      rest = withoutLast
    } else if (first === '' && last === '') {
      break
    } else {
      if (last !== '') after.unshift(last)
      rest = rest.slice(first.length, rest.length - last.length)
    }
  }
  const middle = known(rest) ?? splitAtInfixes(rest)
  return joinContractions([...before, ...middle, ...after], known)
}

function splitAtInfixes(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const { 0: mark, index } of text.matchAll(infix)) {
    if (index === 0) continue
    if (index > from) parts.push(text.slice(from, index))
    parts.push(mark)
    from = index + mark.length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** Joins parts that are an abbreviation together, such as `Sept` and `.`. */
function joinContractions(
  parts: readonly string[],
  known: (part: string) => readonly string[] | undefined,
): readonly string[] {
  const joined: string[] = []
  for (let index = 0; index < parts.length; ) {
    const count = [3, 2].find(
      (size) => index + size <= parts.length && known(parts.slice(index, index + size).join('')),
    )
    joined.push(...(count ? known(parts.slice(index, index + count).join(''))! : [parts[index]!]))
    index += count ?? 1
  }
  return joined
}
