import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWeights } from '../weights.ts'
import { createLexicon } from './lexicon.ts'
import { guessStreets, withNames } from './names.ts'
import { phonemize, type WordSounds } from './phonemize.ts'
import { createTagger } from './tagger.ts'
import { readTextTable } from './text-table.ts'
import type { Contractions } from './tokens.ts'
import { guessSounds } from './unknown-words.ts'

interface EnglishData {
  /** The number of each phoneme. */
  phonemes: Readonly<Record<string, number>>
  tags: readonly string[]
  letters: readonly string[]
  sounds: readonly string[]
  contractions: Contractions
}

/** Turns English text into the phonemes of a voice. */
export interface English {
  phonemize(text: string): WordSounds[]
  /** @returns the numbers of phonemes, without those that the voice does not have. */
  number(sounds: WordSounds): number[]
}

/** @param folder with the lists, the tables of the tagger and the network for unknown words. */
export function openEnglish(folder: string): English {
  const read = (name: string) => readFileSync(join(folder, name))
  const table = (name: string) => readTextTable(read(`${name}.txt.gz`))
  const { phonemes, tags, letters, sounds, contractions } = JSON.parse(
    read('english.json').toString(),
  ) as EnglishData
  const weights = readWeights(read('unknown-words.safetensors'))
  const tagger = createTagger(
    { tags: table('tags'), features: table('features'), frequentWords: table('frequent-words') },
    tags,
  )
  const lexicon = createLexicon(withNames(table('gold')), table('silver'))
  const guess = guessStreets((word) => guessSounds(weights, word, letters, sounds))
  return {
    phonemize: (text) => phonemize(text, { contractions, tagger, lexicon, guess }),
    number: (sounds) => [...sounds].flatMap((phoneme) => phonemes[phoneme] ?? []),
  }
}
