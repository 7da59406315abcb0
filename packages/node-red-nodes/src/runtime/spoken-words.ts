import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookUpLanguage } from '@parlando/core/text'
import type english from '../locales/en-US/spoken.json'

/** What people say to the nodes in one language, and what the nodes say by themselves. */
export type SpokenWords = typeof english

/** The folder of the languages, from this file and from the built node that contains it. */
const possibleFolders = ['../locales', '../../locales'].map((path) => join(__dirname, path))

/** The folders of the languages, by their names; read when somebody first speaks. */
let folders: ReadonlyMap<string, string> | undefined

const known = new Map<string, SpokenWords>()

/**
 * The words of a language, such as `de-AT`, from its folder in `locales`.
 * @returns nothing for a language without a folder.
 */
export function spokenWords(language: string): SpokenWords | undefined {
  folders ??= findFolders()
  const name = lookUpLanguage(language, [...folders.keys()], (code) => [code])
  return name === undefined ? undefined : readWords(name, folders.get(name)!)
}

/** The words of a language, or those of English for a language without a folder. */
export function spokenOrEnglish(language: string): SpokenWords {
  return spokenWords(language) ?? spokenWords('en-US')!
}

function findFolders(): Map<string, string> {
  const all = possibleFolders.find((path) => existsSync(path))!
  return new Map(readdirSync(all).map((name) => [name, join(all, name)]))
}

function readWords(name: string, folder: string): SpokenWords {
  const words = known.get(name) ?? JSON.parse(readFileSync(join(folder, 'spoken.json'), 'utf8'))
  known.set(name, words)
  return words
}
