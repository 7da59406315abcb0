import type { Lexicon } from './lexicon.ts'
import { readHomographs } from './read-homographs.ts'
import { applyStress, primaryStress, stressWeight } from './stress.ts'
import type { Tagger } from './tagger.ts'
import { type Contractions, type Token, tokenize } from './tokens.ts'
import type { WordContext } from './word-context.ts'
import type { Accent } from './word-endings.ts'

export interface Phonemizer {
  accent: Accent
  contractions: Contractions
  tagger: Tagger
  lexicon: Lexicon
  /** The sounds of a word that the lexicon does not know. */
  guess(word: string): string
}

/** A part of a word: `living` of `living-room`. */
interface Part extends Token {
  /** Whether its sounds are apart from those of the part before it. */
  isApart?: boolean
}

type Context = Pick<WordContext, 'vowelFollows' | 'toFollows'>

const upper = 'A-ZÀ-ÖØ-Þ'
const lower = 'a-zß-öø-ÿ'
const partPattern = new RegExp(
  [
    `^['‘’]+`,
    `[${upper}](?=[${upper}][${lower}])`,
    `(?:^-)?(?:\\d?[,.]?\\d)+`,
    '[-_]+',
    `['‘’]{2,}`,
    `\\p{L}*?(?:['‘’]\\p{L})*?[${lower}](?=[${upper}])`,
    `\\p{L}+(?:['‘’]\\p{L})*`,
    `[^\\p{L}\\p{N}_\\-'‘’]`,
    `['‘’]+$`,
  ].join('|'),
  'gu',
)
/** Every run of parts is looked up. */
const maxParts = 24
const junk = /^[',\-._‘’/]*$/
const punctuationTags: ReadonlySet<string> = new Set([
  '.',
  ',',
  '-LRB-',
  '-RRB-',
  '``',
  '""',
  "''",
  ':',
  '$',
  '#',
  'NFP',
])
const soundsOfTag: Readonly<Record<string, string>> = {
  '-LRB-': '(',
  '-RRB-': ')',
  '``': '“',
  '""': '”',
  "''": '”',
}
const notSpoken = /[^;:,.!?—…"“”]/g
const pause = /[;:,.!?—…]/
const vowel = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/
const consonant = /[bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ]/
const symbolSounds: Readonly<Record<string, string>> = {
  '/': 'slˈæʃ',
  '=': 'ˈikwᵊlz',
  '+': 'plˈʌs',
  '&': 'ænd',
  '@': 'æt',
  '%': 'pəɹsˈɛnt',
  '#': 'hˈæʃ',
  '*': 'ˈæstəɹˌɪsk',
  '~': 'tˈɪldə',
  '^': 'kˈɛɹət',
  '<': 'lˈɛs ðən',
  '>': 'ɡɹˈATəɹ ðən',
}

/** Phonemes of the characters between two spaces, in the alphabet of Kokoro, with their punctuation. */
export type WordSounds = string

/** @returns the sounds of each word of a text, in order. */
export function phonemize(text: string, phonemizer: Phonemizer): WordSounds[] {
  const tokens = tokenize(text.normalize('NFKC').replace(/[‘’]/g, "'"), phonemizer.contractions)
  phonemizer.tagger.tag(tokens)
  if (phonemizer.accent === 'american') readHomographs(tokens)
  const words = groupParts(tokens)
  let context: Context = { vowelFollows: undefined, toFollows: false }
  for (const word of words.toReversed()) context = soundWord(word, context, phonemizer)
  return joinWords(words)
}

/** Cuts tokens into parts, and puts those together between which there is no space. */
function groupParts(tokens: readonly Token[]): Part[][] {
  const words: Part[][] = []
  let isOpen = false
  for (const token of tokens) {
    const texts = token.text.match(partPattern) ?? [token.text]
    texts.forEach((text, index) => {
      const part: Part = {
        text,
        tag: token.tag,
        hasSpace: index === texts.length - 1 && token.hasSpace,
      }
      const phonemes = punctuationOf(part)
      const known = phonemes ?? (texts.length === 1 ? token.phonemes : undefined)
      if (known !== undefined) part.phonemes = known
      if (isOpen && phonemes === undefined) words.at(-1)!.push(part)
      else words.push([part])
      isOpen = phonemes === undefined && !part.hasSpace && words.at(-1)!.length < maxParts
    })
  }
  return words
}

function punctuationOf({ text, tag }: Part): string | undefined {
  if (tag === ':' && /^[-–]$/.test(text)) return '—'
  if (!punctuationTags.has(tag) || /^[a-z]+$/i.test(text)) return undefined
  return soundsOfTag[tag] ?? text.replace(notSpoken, '')
}

/** Sets the phonemes of all parts of a word. @returns the context of the word before it. */
function soundWord(word: Part[], context: Context, phonemizer: Phonemizer): Context {
  const [only] = word
  if (word.length === 1) {
    only!.phonemes ??= findSounds(only!, context, phonemizer) ?? fallBack(only!.text, phonemizer)
    return contextBefore(only!, only!.phonemes, context)
  }
  return soundParts(word, context, phonemizer)
}

/** From the end of the word, finds the longest runs of parts that the lexicon knows. */
function soundParts(word: Part[], context: Context, phonemizer: Phonemizer): Context {
  let before = context
  let [left, right] = [0, word.length]
  while (left < right) {
    const run = word.slice(left, right)
    const merged = run.some(({ phonemes }) => phonemes !== undefined) ? undefined : mergeParts(run)
    const sounds = merged && findSounds(merged, before, phonemizer)
    if (merged && sounds !== undefined) {
      run.forEach((part, index) => {
        part.phonemes = index === 0 ? sounds : ''
      })
      before = contextBefore(merged, sounds, before)
      ;[left, right] = [0, left]
    } else if (left + 1 < right) {
      left += 1
    } else {
      right -= 1
      left = 0
      const last = word[right]!
      if (last.phonemes === undefined && !junk.test(last.text)) {
        const guessed = fallBack(mergeParts(word).text, phonemizer)
        word.forEach((part, index) => {
          part.phonemes = index === 0 ? guessed : ''
        })
        return before
      }
      last.phonemes ??= ''
    }
  }
  balanceStress(word)
  return before
}

function mergeParts(parts: readonly Part[]): Token {
  const weight = ({ text }: Part) =>
    [...text].reduce((sum, letter) => sum + (letter === letter.toLowerCase() ? 1 : 2), 0)
  const main = parts.reduce((best, part) => (weight(part) > weight(best) ? part : best))
  return {
    text: parts.map(({ text }) => text).join(''),
    tag: main.tag,
    hasSpace: parts.at(-1)!.hasSpace,
  }
}

function findSounds(
  { text, tag }: Token,
  context: Context,
  { lexicon }: Phonemizer,
): string | undefined {
  return lexicon.find(text, { tag, ...context })
}

function contextBefore({ text, tag }: Token, sounds: string, { vowelFollows }: Context): Context {
  const first = [...sounds].find(
    (sound) => vowel.test(sound) || consonant.test(sound) || pause.test(sound),
  )
  const startsWithVowel =
    first === undefined ? vowelFollows : pause.test(first) ? undefined : vowel.test(first)
  const toFollows =
    text === 'to' || text === 'To' || (text === 'TO' && (tag === 'TO' || tag === 'IN'))
  return { vowelFollows: startsWithVowel, toFollows }
}

function fallBack(text: string, { guess }: Phonemizer): string {
  const pieces = text.match(/\p{L}+(?:['’]\p{L}+)*|[^\p{L}\s]/gu) ?? []
  const sounds = pieces.map((piece) =>
    /^\p{L}/u.test(piece) ? guess(piece) : (symbolSounds[piece] ?? ''),
  )
  return sounds.filter((sound) => sound !== '').join(' ')
}

/** A word of several parts keeps the stress of some of them. */
function balanceStress(word: Part[]): void {
  const text = word.map((part) => part.text).join('')
  const kinds = [...text]
    .filter((letter) => !junk.test(letter))
    .map((letter) => (/\p{L}/u.test(letter) ? 0 : /\d/.test(letter) ? 1 : 2))
  const areApart = text.includes('/') || new Set(kinds).size > 1
  word.forEach((part, index) => {
    if (index > 0) part.isApart = areApart
  })
  if (areApart) return
  const spoken = word.filter(({ phonemes }) => phonemes)
  if (spoken.length === 2 && spoken[0]!.text.length === 1) {
    weaken(spoken[1]!)
    return
  }
  const stressed = spoken.filter((part) => part.phonemes!.includes(primaryStress))
  if (spoken.length < 2 || stressed.length <= Math.floor((spoken.length + 1) / 2)) return
  const byWeight = spoken
    .map((part, index) => ({
      part,
      rank: [part.phonemes!.includes(primaryStress) ? 1 : 0, stressWeight(part.phonemes!), index],
    }))
    .sort((first, second) => compareRanks(first.rank, second.rank))
  for (const { part } of byWeight.slice(0, Math.floor(spoken.length / 2))) weaken(part)
}

function compareRanks(first: readonly number[], second: readonly number[]): number {
  const at = first.findIndex((value, index) => value !== second[index])
  return at < 0 ? 0 : first[at]! - second[at]!
}

function weaken(part: Part): void {
  part.phonemes = applyStress(part.phonemes!, -0.5)
}

/** Joins what is written without a space. */
function joinWords(words: readonly (readonly Part[])[]): WordSounds[] {
  const sounds = ['']
  for (const word of words) {
    sounds.push(sounds.pop()! + joinParts(word))
    if (word.at(-1)!.hasSpace) sounds.push('')
  }
  return sounds
}

function joinParts(word: readonly Part[]): string {
  let joined = ''
  for (const { phonemes = '', isApart } of word) {
    const isSpaced = isApart && joined !== '' && phonemes !== '' && !joined.endsWith(' ')
    joined += isSpaced ? ` ${phonemes}` : phonemes
  }
  return joined.replaceAll('ɾ', 'T').replaceAll('ʔ', 't')
}
