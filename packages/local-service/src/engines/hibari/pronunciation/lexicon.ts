import { functionWord } from './function-words.ts'
import { applyStress, primaryStress, secondaryStress } from './stress.ts'
import type { TextTable } from './text-table.ts'
import { kindOf, type WordContext } from './word-context.ts'
import { type Accent, endingsOf, type WordEnding } from './word-endings.ts'

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
  readonly #endings: readonly WordEnding[]

  constructor(gold: TextTable, silver: TextTable, endings: readonly WordEnding[]) {
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
