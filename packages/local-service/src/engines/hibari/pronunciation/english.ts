import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWeights } from '../../../neural-networks/weights.ts'
import { createLexicon } from './lexicon.ts'
import { guessStreets, withNames } from './names.ts'
import { phonemize, type WordSounds } from './phonemize.ts'
import { createTagger } from './tagger.ts'
import { readTextTable } from './text-table.ts'
import type { Contractions } from './tokens.ts'
import { guessSounds } from './unknown-words.ts'
import type { Accent } from './word-endings.ts'

/** Turns English text into the phonemes of a voice. */
export interface English {
  phonemize(text: string): WordSounds[]
  /** @returns the numbers of phonemes, without those that the voice does not have. */
  number(sounds: WordSounds): number[]
}

interface Grammar {
  /** The number of each phoneme. */
  phonemes: Readonly<Record<string, number>>
  tags: readonly string[]
  contractions: Contractions
}

/** What the network for unknown words reads and writes. */
interface Alphabet {
  letters: readonly string[]
  sounds: readonly string[]
}

/** The lists of each accent. The grammar is that of American English. */
const folderOf: Readonly<Record<Accent, string>> = { american: 'english', british: 'british' }

/**
 * @param folder of the package of voices.
 * @returns a function that opens an accent, once: its lists, and a network for words in no list. The grammar is shared.
 */
export function openEnglish(folder: string): (accent: Accent) => English {
  const opened = new Map<Accent, English>()
  const read = (path: string) => readFileSync(join(folder, path))
  const table = (path: string) => readTextTable(read(`${path}.txt.gz`))
  const { phonemes, tags, contractions }: Grammar = JSON.parse(`${read('english/english.json')}`)
  const tagger = createTagger(
    {
      tags: table('english/tags'),
      features: table('english/features'),
      frequentWords: table('english/frequent-words'),
    },
    tags,
  )
  const open = (accent: Accent): English => {
    const own = folderOf[accent]
    const { letters, sounds }: Alphabet = JSON.parse(`${read(`${own}/${own}.json`)}`)
    const weights = readWeights(read(`${own}/unknown-words.safetensors`))
    const guessSpelled = (word: string) => guessSounds(weights, word, letters, sounds)
    const gold = table(`${own}/gold`)
    const silver = table(`${own}/silver`)
    // Names and streets that the lists lack, and words that sound in two ways, are written in American sounds.
    const isAmerican = accent === 'american'
    const lexicon = createLexicon(isAmerican ? withNames(gold) : gold, silver, accent)
    const guess = isAmerican ? guessStreets(guessSpelled) : guessSpelled
    return {
      phonemize: (text) => phonemize(text, { accent, contractions, tagger, lexicon, guess }),
      number: (sounds) => [...sounds].flatMap((phoneme) => phonemes[phoneme] ?? []),
    }
  }
  return (accent) => {
    const english = opened.get(accent) ?? open(accent)
    opened.set(accent, english)
    return english
  }
}
