import type { SpelledWord } from '../word.ts'
import { readWord, splitWord, type Word } from '../word.ts'
import { spellAmount, spellRangeOfAmounts } from './amounts.ts'
import { spellDash } from './dashes.ts'
import { spellFraction } from './fractions.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import type { Language, LanguageRule, Rest } from './language.ts'
import { spellMoney } from './money.ts'
import { spellName } from './names.ts'
import { spellNumber } from './numbers.ts'
import { spellRatio, spellSize } from './sizes-and-ratios.ts'
import { spanish } from './spanish.ts'
import { spellTelephone } from './telephone.ts'
import { spellDate, spellOrdinal, spellTime } from './times-and-dates.ts'
import { spellRangeOfNames } from './weekdays-and-months.ts'

/** The languages, by their code. */
export const languages: Readonly<Record<string, Language>> = {
  de: german,
  es: spanish,
  fr: french,
  it: italian,
}

// The first rule that knows a word decides: "24.12." is a date and could be an ordinal.
const rules: readonly LanguageRule[] = [
  spellDate,
  spellTelephone,
  spellTime,
  spellMoney,
  spellOrdinal,
  spellFraction,
  spellSize,
  spellRatio,
  spellAmount,
  spellRangeOfAmounts,
  spellAbbreviation,
  spellName,
  spellSign,
]

/** The groups of a telephone number are the most that a rule reads. */
const wordsAhead = 12
/** How many words before a word are known: those of a date. */
const wordsBack = 5
/** Longer words mean nothing, and would delay the first sound. */
const maxWordCharacters = 100

/**
 * Spells out a sentence of a language: numbers, times, dates, units, money, abbreviations and names of devices. Takes linear
 * time, and reads only a few words ahead.
 * @param before the beginning of the sentence, if an earlier text contained it: not returned, but its words count.
 * @returns each word of the text, in its place. Several words may be spoken as one, in the place of the first.
 */
export function* spellLanguage(
  language: Language,
  sentence: string,
  before = '',
): Generator<SpelledWord, void> {
  const earlier = readWords(language, before).slice(-wordsAhead)
  const following = sentence.matchAll(/\S+/g)
  const words = [...earlier]
  let spelled: string[] = []
  const read: Word[] = []
  let waiting: SpelledWord | undefined
  for (let index = 0; ; index++) {
    while (words.length <= wordsAhead) {
      const next = following.next()
      if (next.done) break
      words.push(...readParts(language, next.value[0]))
    }
    const word = words[0]
    if (!word) break
    if (index === earlier.length && isSaidWithoutNumber(spelled, earlier)) spelled = []
    if (spelled.length === 0) spelled = spellNext(language, words, read)
    if (index >= earlier.length) {
      const spoken = spelled[0]!
      if (waiting && word.written === '') waiting.spoken += spoken && ` ${spoken}`
      else {
        if (waiting) yield waiting
        waiting = { written: word.written, spoken }
      }
    }
    spelled = spelled.slice(1)
    read.push(words.shift()!)
    if (read.length > wordsBack) read.shift()
  }
  if (waiting) yield waiting
}

/** Whether words of an earlier text were spoken before the number that they are read with had arrived: "Sono | le 1:00". */
function isSaidWithoutNumber(spelled: readonly string[], earlier: readonly Word[]): boolean {
  return spelled.every((spoken) => spoken === '') && !/\d/.test(earlier.at(-1)?.text ?? '')
}

function readWords(language: Language, text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g), ([written]) => readParts(language, written)).flat()
}

/** Splits "ca.5", which is read as "ca. 5". */
function readParts(language: Language, written: string): readonly Word[] {
  const word = readWord(written)
  if (written.length > maxWordCharacters) return [word]
  const { abbreviations, beforeNumber } = language
  return splitWord(
    word,
    /^\p{L}{1,6}\.(?=\d)/u,
    (name) => abbreviations.has(`${name}.`) || beforeNumber?.has(`${name}.`) === true,
  )
}

/** @returns what is spoken for the first words, with the marks around them. */
function spellNext(language: Language, words: readonly Word[], read: readonly Word[]): string[] {
  const [first] = words
  const last = read.at(-1)
  if (first!.written.length > maxWordCharacters) return [first!.written]
  const known =
    spellRangeOfNames(language, words, last) ??
    spellPair(language, words) ??
    spellBeforeNumber(language, words, last)
  if (known) return [...known]
  const stop = words.findIndex(({ after, before }, at) => after !== '' || (at > 0 && before !== ''))
  const isOpening = stop > 0 && words[stop]!.before !== ''
  const length = stop < 0 ? words.length : isOpening ? stop : stop + 1
  const { after } = words[length - 1]!
  const before = last && /^[.:]?$/.test(last.after) && first!.before === '' ? last.text : ''
  const rest: Rest = {
    language,
    before,
    earlier: first!.before === '' ? textsBefore(read) : [],
    words: words.slice(0, length).map(({ text }) => text.replaceAll('−', '-')),
    after,
    goesOn: words.length > length,
  }
  for (const rule of rules) {
    const spoken = rule(rest)
    if (spoken) return addMarks(spoken, first!, spoken.length === length ? rest : undefined)
  }
  return [first!.before + first!.text + first!.after]
}

/** "z. B.", "(p. ej.," */
function spellPair({ abbreviations }: Language, [first, second]: readonly Word[]) {
  if (second?.before !== '') return undefined
  const { before, text, after } = first!
  const stop = second.after.startsWith('.') ? '.' : ''
  const spoken = abbreviations.get(text + after + second.text + stop)
  return spoken === undefined ? undefined : [before + spoken + second.after.slice(stop.length), '']
}

/** "S. 5" */
function spellBeforeNumber(
  { beforeNumber, isInitial }: Language,
  [first, second, third]: readonly Word[],
  last: Word | undefined,
) {
  const { before, text, after } = first!
  const name = beforeNumber?.get(text + after)
  if (name && isInitial?.(last?.text ?? '', third?.text ?? '')) return undefined
  return name && second?.before === '' && /^\d/.test(second.text) ? [before + name] : undefined
}

/** @returns the texts after the last mark. */
function textsBefore(read: readonly Word[]): string[] {
  const mark = read.findLastIndex(({ after }) => !/^\.?$/.test(after))
  return read.slice(mark + 1).map(({ text }) => text.replaceAll('−', '-'))
}

/** Puts the marks before the first word, and after the last one that is spoken. */
function addMarks(spoken: readonly string[], { before }: Word, last: Rest | undefined): string[] {
  const marked = [...spoken]
  const end = marked.findLastIndex((word) => word !== '')
  if (end < 0) return marked
  // A full stop that belonged to a word inside the sentence: "24.12. um", "ca. 5".
  const after = last ? (last.goesOn ? last.after.replace('.', '') : last.after) : ''
  marked[end] += after
  marked[0] = before + marked[0]
  return marked
}

/** A sign between spaces. */
function spellSign(rest: Rest) {
  const { language, before } = rest
  const [word = '', next = ''] = rest.words
  if (/^[-–—]$/.test(word)) return [spellDash(rest)]
  if (word === '/' || word === '|') return [',']
  if (word === 'x' && /\d$/.test(before) && /^\d/.test(next)) return [language.signs['×']!]
  return Object.hasOwn(language.signs, word) ? [language.signs[word]!] : undefined
}

function spellAbbreviation(rest: Rest): readonly string[] | undefined {
  const { language, words, after } = rest
  const [word = ''] = words
  const withStop = after.startsWith('.') && words.length === 1 ? `${word}.` : word
  if (language.alsoWords.has(withStop) && isOrdinaryWord(rest)) return undefined
  const known = language.abbreviations.get(withStop) ?? language.abbreviations.get(word)
  if (known !== undefined) return [known]
  const [, name = '', number = ''] = /^(\D{1,5})(\d{1,6})$/.exec(word) ?? []
  const attached = language.abbreviations.get(name)
  if (attached !== undefined) return [`${attached} ${spellNumber(language, number)}`]
  if (/\p{Ll}str$/u.test(word) && withStop !== word) return [`${word.slice(0, -3)}straße`]
  const pair = /^(\p{L}{1,3})([-–])(\p{L}{1,3})$/u.exec(word)
  const [from, to] = [pair?.[1], pair?.[3]].map((part) => language.abbreviations.get(part ?? ''))
  return from && to ? [`${from} ${language.words.to} ${to}`] : undefined
}

/** "Elle aime la mer." is no Wednesday, but "mar. et mer." is one. */
function isOrdinaryWord({ language, goesOn, before, earlier }: Rest): boolean {
  if (goesOn) return false
  const first = `${earlier.at(-2)}.`
  const isSecond =
    /^(?:et|e|y|o|ou|und|oder|à|a|bis)$/.test(before) && language.abbreviations.has(first)
  return !isSecond && !/^\d/.test(before) && !language.beforeDays.test(before)
}
