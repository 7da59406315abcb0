import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookUpLanguage } from '@parlando/core/text'
import type english from '../locales/en-US/spoken.json'

/** What people say to the nodes in one language, and what the nodes say by themselves. */
export type SpokenWords = typeof english

/** The folders of the languages, from this file and from the built node that contains it. */
const localesFolders = ['../locales', '../../locales'].map((path) => join(__dirname, path))

const known = new Map<string, SpokenWords>()

/**
 * The words of a language, such as `de-AT`, from its folder in `locales`.
 * @returns nothing for a language without a folder.
 */
export function spokenWords(language: string): SpokenWords | undefined {
  const folder = localesFolders.find((path) => existsSync(path))!
  const name = lookUpLanguage(language, readdirSync(folder), (code) => [code])
  return name === undefined ? undefined : readWords(folder, name)
}

/** The words of a language, or those of English for a language without a folder. */
export function spokenOrEnglish(language: string): SpokenWords {
  return spokenWords(language) ?? spokenWords('en-US')!
}

function readWords(folder: string, name: string): SpokenWords {
  const words =
    known.get(name) ?? JSON.parse(readFileSync(join(folder, name, 'spoken.json'), 'utf8'))
  known.set(name, words)
  return words
}
