import { applyStress, primaryStress, secondaryStress } from './stress.ts'
import type { TextTable } from './text-table.ts'

/** What decides how a word sounds, besides its letters. */
export interface WordContext {
  tag: string
  /** Whether the next word begins with a vowel. Absent before a pause and at the end. */
  vowelFollows: boolean | undefined
  /** Whether the next word is "to". */
  toFollows: boolean
}

/** Finds the sounds of words: in two lists, and by the rules for their endings. The rules are those of misaki (Apache-2.0). */
export interface Lexicon {
  /** @returns the sounds, or `undefined` if no list and no rule knows the word. */
  find(word: string, surroundings: WordContext): string | undefined
}

const symbols: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'and',
  '+': 'plus',
  '@': 'at',
}
/** After these sounds, American speakers say a `t` between vowels as a tap. */
const tapBefore = /[AIOWYiuæɑəɛɪɹʊʌ]$/

/** How a word is spoken in America or Britain. */
export type Accent = 'american' | 'british'

/**
 * @param gold words with checked sounds.
 * @param silver further words.
 */
export function createLexicon(gold: TextTable, silver: TextTable, accent: Accent): Lexicon {
  return new ListedWords(gold, silver, endingsOf[accent])
}

class ListedWords implements Lexicon {
  readonly #gold: TextTable
  readonly #silver: TextTable
  readonly #endings: readonly Ending[]

  constructor(gold: TextTable, silver: TextTable, endings: readonly Ending[]) {
    this.#gold = gold
    this.#silver = silver
    this.#endings = endings
  }

  find(given: string, surroundings: WordContext): string | undefined {
    const stress = stressOf(given)
    const special = this.#findSpecial(given, stress, surroundings)
    if (special !== undefined) return special
    const word = this.#lowerUnlessListed(given, surroundings)
    const known = [
      word,
      word.endsWith("s'") && `${word.slice(0, -2)}'s`,
      word.endsWith("'") && word.slice(0, -1),
    ]
    const listed = known.find((form): form is string => form !== false && this.#isKnown(form))
    if (listed !== undefined) return this.#lookUp(listed, stress, surroundings)
    return this.#findEnding(word, stress, surroundings)
  }

  #isListed(word: string): boolean {
    return entryIn(this.#gold, word) !== undefined || entryIn(this.#silver, word) !== undefined
  }

  #isKnown(word: string): boolean {
    if (this.#isListed(word) || Object.hasOwn(symbols, word)) return true
    if (!/^[a-zA-Z]+$/.test(word)) return false
    if (word.length === 1) return true
    if (word === word.toUpperCase() && entryIn(this.#gold, word.toLowerCase()) !== undefined)
      return true
    return word.slice(1) === word.slice(1).toUpperCase()
  }

  #lookUp(
    given: string,
    stress: number | undefined,
    surroundings: WordContext,
  ): string | undefined {
    const isInCapitals = given === given.toUpperCase() && entryIn(this.#gold, given) === undefined
    const word = isInCapitals ? given.toLowerCase() : given
    const isName = isInCapitals && surroundings.tag === 'NNP'
    const entry = entryIn(this.#gold, word) ?? (isName ? undefined : entryIn(this.#silver, word))
    const sounds = entry === undefined ? undefined : variantOf(entry, surroundings)
    if (sounds === undefined || (isName && !sounds.includes(primaryStress))) {
      const spelled = this.#spell(word)
      if (spelled !== undefined) return spelled
    }
    return sounds === undefined ? undefined : applyStress(sounds, stress)
  }

  /** @returns the names of the letters, the last of them stressed. */
  #spell(word: string): string | undefined {
    const letters = [...word].filter((letter) => /\p{L}/u.test(letter))
    const sounds = letters.map((letter) => entryIn(this.#gold, letter.toUpperCase()))
    if (sounds.length === 0 || sounds.some((sound) => sound === undefined)) return undefined
    const joined = applyStress(sounds.join(''), 0)
    const last = joined.lastIndexOf(secondaryStress)
    return last < 0 ? joined : joined.slice(0, last) + primaryStress + joined.slice(last + 1)
  }

  #findSpecial(
    word: string,
    stress: number | undefined,
    surroundings: WordContext,
  ): string | undefined {
    if (Object.hasOwn(symbols, word)) return this.#lookUp(symbols[word]!, undefined, surroundings)
    const isInitials =
      word.replace(/^\.+/, '').slice(0, -1).includes('.') &&
      /^[\p{L}.]+$/u.test(word) &&
      word.split('.').every((part) => part.length < 3)
    if (isInitials) return this.#spell(word)
    return functionWord(word, stress, surroundings, {
      spell: (letters) => this.#spell(letters),
      listed: (name, variant = 'DEFAULT') =>
        variantOf(entryIn(this.#gold, name) ?? '', { ...surroundings, tag: variant }),
    })
  }

  /** Capitals may only be the start of a sentence, or emphasis. */
  #lowerUnlessListed(word: string, surroundings: WordContext): string {
    const lower = word.toLowerCase()
    const isWord = word.length > 1 && /^[\p{L}']+$/u.test(word) && word !== lower
    const isCapitalised = word === word.toUpperCase() || word.slice(1) === lower.slice(1)
    if (!isWord || !isCapitalised || this.#isListed(word)) return word
    if (surroundings.tag === 'NNP' && word.length <= 7) return word
    const isKnown = this.#isListed(lower) || this.#findEnding(lower, undefined, surroundings)
    return isKnown ? lower : word
  }

  #findEnding(
    word: string,
    stress: number | undefined,
    surroundings: WordContext,
  ): string | undefined {
    for (const { stems, add, stress: least } of this.#endings) {
      const stem = stems(word).find((form): form is string => form !== false && this.#isKnown(form))
      const sounds =
        stem === undefined ? undefined : this.#lookUp(stem, stress ?? least, surroundings)
      const spoken = sounds && add(sounds)
      if (spoken) return spoken
    }
    return undefined
  }
}

/** Capitals at the start of a word, or in all of it, stress it. */
function stressOf(word: string): number | undefined {
  if (word === word.toLowerCase()) return undefined
  return word === word.toUpperCase() ? 2 : 0.5
}

interface Ending {
  /** What the word may be without the ending, the likeliest first. */
  stems(word: string): readonly (string | false)[]
  /** @returns the sounds of the word, or `undefined` if the stem does not take the ending. */
  add(stem: string): string | undefined
  /** The stress of the stem, unless the word has one. */
  stress?: number
}

type Add = Ending['add']

const createEndings = (addS: Add, addEd: Add, addIng: Add): readonly Ending[] => [
  {
    stems(word) {
      if (word.length < 3 || !word.endsWith('s')) return []
      const isLong = word.length > 4
      const isPossessive =
        word.endsWith("'s") || (isLong && word.endsWith('es') && !word.endsWith('ies'))
      return [
        !word.endsWith('ss') && word.slice(0, -1),
        isPossessive && word.slice(0, -2),
        isLong && word.endsWith('ies') && `${word.slice(0, -3)}y`,
      ]
    },
    add: addS,
  },
  {
    stems(word) {
      if (word.length < 4 || !word.endsWith('d')) return []
      const hasEd = word.length > 4 && word.endsWith('ed') && !word.endsWith('eed')
      return [!word.endsWith('dd') && word.slice(0, -1), hasEd && word.slice(0, -2)]
    },
    add: addEd,
  },
  {
    stems(word) {
      if (word.length < 5 || !word.endsWith('ing')) return []
      const isLong = word.length > 5
      const isDoubled = isLong && /(?:([bcdgklmnprstvxz])\1ing|cking)$/.test(word)
      return [isLong && word.slice(0, -3), `${word.slice(0, -3)}e`, isDoubled && word.slice(0, -4)]
    },
    add: addIng,
    stress: 0.5,
  },
]

/** A word in lower case also stands for the same word with a capital, and the other way round. */
function entryIn(table: TextTable, word: string): string | undefined {
  const entry = table.get(word)
  if (entry !== undefined || word.length < 2) return entry
  const lower = word.toLowerCase()
  const capitalised = lower[0]!.toUpperCase() + lower.slice(1)
  if (word === lower) return capitalised === word ? undefined : table.get(capitalised)
  return word === capitalised ? table.get(lower) : undefined
}

/** @param entry sounds, or sounds for each part of speech: `DEFAULT=…;VBD=…`. */
function variantOf(
  entry: string,
  { tag, vowelFollows }: Pick<WordContext, 'tag' | 'vowelFollows'>,
): string | undefined {
  if (!entry.includes('=')) return entry
  const variants = new Map(
    entry.split(';').map((variant) => variant.split('=', 2) as [string, string]),
  )
  const names = vowelFollows === undefined && variants.has('None') ? ['None'] : [tag, kindOf(tag)]
  const name = names.find((candidate) => variants.has(candidate)) ?? 'DEFAULT'
  return variants.get(name) || undefined
}

function kindOf(tag: string): string {
  if (tag.startsWith('VB')) return 'VERB'
  if (tag.startsWith('NN')) return 'NOUN'
  if (tag.startsWith('RB') || tag.startsWith('ADV')) return 'ADV'
  return tag.startsWith('JJ') || tag.startsWith('ADJ') ? 'ADJ' : tag
}

interface Lists {
  spell(word: string): string | undefined
  listed(word: string, variant?: string): string | undefined
}

/** Words whose sounds depend on what follows. */
function functionWord(
  word: string,
  stress: number | undefined,
  surroundings: WordContext,
  { spell, listed }: Lists,
): string | undefined {
  const { tag, vowelFollows, toFollows } = surroundings
  const isNoun = tag.startsWith('NN')
  switch (word) {
    case 'a':
    case 'A':
      return tag === 'DT' ? 'ɐ' : 'ˈA'
    case 'am':
    case 'Am':
    case 'AM':
      if (isNoun) return spell(word)
      return vowelFollows === undefined || word !== 'am' || (stress ?? 0) > 0 ? listed('am') : 'ɐm'
    case 'an':
    case 'An':
      return 'ɐn'
    case 'AN':
      return isNoun ? spell(word) : 'ɐn'
    case 'I':
      return tag === 'PRP' ? `${secondaryStress}I` : undefined
    case 'by':
    case 'By':
    case 'BY':
      return kindOf(tag) === 'ADV' ? 'bˈI' : undefined
    case 'TO':
      if (tag !== 'TO' && tag !== 'IN') return undefined
      return soundsOfTo(vowelFollows, listed)
    case 'to':
    case 'To':
      return soundsOfTo(vowelFollows, listed)
    case 'IN':
      if (tag === 'NNP') return undefined
      return soundsOfIn(tag, vowelFollows)
    case 'in':
    case 'In':
      return soundsOfIn(tag, vowelFollows)
    case 'THE':
      return tag === 'DT' ? soundsOfThe(vowelFollows) : undefined
    case 'the':
    case 'The':
      return soundsOfThe(vowelFollows)
    case 'used':
    case 'Used':
    case 'USED':
      return listed('used', toFollows && ['VBD', 'JJ'].includes(tag) ? 'VBD' : undefined)
    case 'vs':
    case 'vs.':
    case 'VS':
    case 'Vs.':
      return tag === 'IN' ? listed('versus') : undefined
    default:
      return undefined
  }
}

const soundsOfThe = (vowelFollows: boolean | undefined) => (vowelFollows ? 'ði' : 'ðə')
const soundsOfIn = (tag: string, vowelFollows: boolean | undefined) =>
  vowelFollows === undefined || tag !== 'IN' ? `${primaryStress}ɪn` : 'ɪn'
function soundsOfTo(
  vowelFollows: boolean | undefined,
  listed: Lists['listed'],
): string | undefined {
  if (vowelFollows === undefined) return listed('to')
  return vowelFollows ? 'tʊ' : 'tə'
}

const addS = (vowel: string) => (stem: string) => {
  if (/[ptkfθ]$/.test(stem)) return `${stem}s`
  return /[szʃʒʧʤ]$/.test(stem) ? `${stem}${vowel}z` : `${stem}z`
}

const addEd = (vowel: string, addToT: (stem: string) => string) => (stem: string) => {
  if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`
  if (stem.endsWith('d')) return `${stem}${vowel}d`
  return stem.endsWith('t') ? addToT(stem) : `${stem}d`
}

const isTap = (stem: string) => stem.endsWith('t') && tapBefore.test(stem.slice(0, -1))

function addAmericanEdToT(stem: string): string {
  if (stem.length < 2) return `${stem}ɪd`
  return isTap(stem) ? `${stem.slice(0, -1)}ɾᵻd` : `${stem}ᵻd`
}

const addAmericanIng = (stem: string) => (isTap(stem) ? `${stem.slice(0, -1)}ɾɪŋ` : `${stem}ɪŋ`)
/** After these sounds, an `r` comes before the ending, which no rule adds. */
const addBritishIng = (stem: string) => (/[əː]$/.test(stem) ? undefined : `${stem}ɪŋ`)

const endingsOf: Readonly<Record<Accent, readonly Ending[]>> = {
  american: createEndings(addS('ᵻ'), addEd('ᵻ', addAmericanEdToT), addAmericanIng),
  british: createEndings(
    addS('ɪ'),
    addEd('ɪ', (stem) => `${stem}ɪd`),
    addBritishIng,
  ),
}
