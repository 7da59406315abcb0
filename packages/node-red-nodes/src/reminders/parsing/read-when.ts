import type { ReminderLanguage } from '../../grammars/reminder-language.ts'
import type { WallMs } from '../zoned-time.ts'
import { compileLanguage, type Patterns } from './compile-language.ts'
import { writeDigits } from './number-marks.ts'
import {
  type DueTime,
  isImpossible,
  isToCome,
  resolveDays,
  resolveWhen,
  type WallClock,
} from './resolve-when.ts'
import { RestOfText } from './rest-of-text.ts'
import type { SaidWhen } from './said-when.ts'
import { type ChangeOfTime, takeWhen } from './take-when.ts'

/** What was read of a text about a time. */
export interface WhenResult {
  /** Absent if the text says no time, or one that is past or does not exist. */
  when?: DueTime
  /** In place of `when`, of a change to a day alone: the midnights of the days that it may mean, the earliest first. */
  days?: WallMs[]
  /** The rest of the text, such as `the bins`. Empty: there is none. */
  name: string
  /** Whether the text says what no reminder can be: a recurrence without a rule, or several times. */
  isUnsupported: boolean
}

/** What a text says about a time as it says it, and the rest of the text. */
export interface SaidText {
  said: SaidWhen
  name: string
}

/** The rules search a text several times. A spoken sentence is shorter. */
export const maxCharacters = 200

/**
 * Reads when somebody wants to be reminded, and of what: `tomorrow at 7:30 the bins`.
 * @param change what the text does with a reminder that there is, if it is about one: `the tea by 2 h`.
 */
export function readWhen(
  text: string,
  language: ReminderLanguage,
  clock: WallClock,
  change: ChangeOfTime = {},
): WhenResult {
  if (text.length > maxCharacters) return { name: text, isUnsupported: false }
  const { said, name } = readSaid(text, language, change)
  if (isImpossible(said)) return { name, isUnsupported: true }
  const days = change.isChange ? resolveDays(said, clock) : []
  if (days.length > 0) return { days, name, isUnsupported: false }
  const when = resolveWhen(said, clock)
  return { ...(when && isToCome(when.dueMs, clock) && { when }), name, isUnsupported: false }
}

/** What a text of up to {@link maxCharacters} says about a time, whether or not it is to come, and the rest of the text. */
export function readSaid(
  text: string,
  language: ReminderLanguage,
  change: ChangeOfTime = {},
): SaidText {
  const patterns = compileLanguage(language)
  const { digits, restore } = writeDigits(plainText(text), language)
  const rest = new RestOfText(digits)
  const said = takeWhen(rest, patterns, change)
  return { said, name: nameOf(restore(rest.text), patterns) }
}

/** One line, with digits that are not full-width. The letter between an ISO date and its time is no word. */
function plainText(text: string): string {
  const plain = text.normalize('NFKC').replace(/(?<=\d)T(?=\d)/g, ' ')
  return plain.replace(/[\s\ue000-\uf8ff]+/gu, ' ').trim()
}

const edge = /^[\s,.;:!?、。，！？-]+|[\s,.;:!?、。，！？-]+$/gu

/** What remains of a text as the name of a reminder, without words such as `remind me of`. */
export function nameOf(text: string, { before, after, language }: Patterns): string {
  let name = text.replaceAll('\n', language.hasSpaces ? ' ' : '').replace(/ +/g, ' ')
  for (let last = ''; last !== name; ) {
    last = name
    name = name.replace(edge, '').replace(before, '')
    // An article only goes at the beginning while its word is still there: "bitte den Timer".
    if (name === last) name = name.replace(after, '')
  }
  return name
}
