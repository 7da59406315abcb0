import { readingLanguages } from '../../grammars/by-language.ts'
import type { ReminderLanguage } from '../../grammars/reminder-language.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import type { WallMs } from '../zoned-time.ts'
import { compileLanguage, type Patterns } from './compile-language.ts'
import {
  maxCharacters,
  nameOf,
  readSaid,
  readWhen,
  type SaidText,
  type WhenResult,
} from './read-when.ts'
import type { DueTime, WallClock } from './resolve-when.ts'
import type { Duration } from './said-when.ts'

/**
 * What somebody wants of the reminders. A reminder is known by its name, or by the time at which it is due; `at` is what the command
 * says about that time, such as `seven` of "my seven o'clock alarm", with the rest of the name.
 */
export type ReminderCommand =
  | { command: 'set'; name: string; when: DueTime; half?: boolean }
  | { command: 'list'; name: string }
  /** `isAll`: every reminder of the node. `isEach`: every reminder with the name, or at the time. Otherwise, one reminder. */
  | { command: 'cancel'; name: string; isAll: boolean; isEach: boolean; at?: SaidText }
  | ChangeCommand

/** `isOnce`: a reminder that repeats moves only this time, and keeps its days. */
export type ChangeCommand =
  | { command: 'change'; name: string; when: DueTime; isOnce: boolean; at?: SaidText }
  /** Moves a reminder to a day, at its time of day: to the first of these midnights at which that is to come. */
  | { command: 'change'; name: string; days: WallMs[]; isOnce: boolean; at?: SaidText }
  /** Moves a reminder from when it is due. `isExtension`: rather a timer that still runs, if there is one. */
  | { command: 'change'; name: string; by: Duration; isExtension: boolean; at?: never }

export interface CommandReader {
  RED: Texts
  /** A language such as `de-AT`. English is read, too. */
  language: string
  clock: WallClock
}

/** Reads a sentence that somebody has said or written. @throws {NodeInputError} */
export function readSentence(text: string, reader: CommandReader): ReminderCommand {
  const { RED, language: code } = reader
  if (text.length > maxCharacters) {
    throw new NodeInputError(RED._('remind.error.too-long', { max: maxCharacters }))
  }
  for (const language of readingLanguages(code)) {
    const patterns = compileLanguage(language)
    const { cancel, question, list, change, never } = patterns.commands
    const isCommand = (command: RegExp) => command.test(text) && !never?.test(text)
    if (isCommand(cancel) && !isTask(text, patterns, reader)) {
      return readCancel(text, patterns, reader)
    }
    if (question.test(text)) return { command: 'list', name: '' }
    const read = (isCommand(change) ? readChange : readSet)(text, patterns, reader)
    if (read) return read
    if (list.test(text)) return { command: 'list', name: '' }
  }
  throw notUnderstood(RED)
}

/** Whether a command to cancel is what somebody wants to be reminded of, such as `stop the dryer in ten minutes`. */
function isTask(text: string, { language, commands }: Patterns, { clock }: CommandReader): boolean {
  const { cancel, task, kinds } = commands
  if (!task.test(text) || kinds.test(text)) return false
  const { when, name, isUnsupported } = readWhen(text.replace(cancel, ''), language, clock)
  return isUnsupported || (when !== undefined && name !== '')
}

function readCancel(text: string, patterns: Patterns, { RED }: CommandReader): ReminderCommand {
  const { cancel, cancelEnd, all, except } = patterns.commands
  const rest = text.replace(cancel, '')
  const wanted = (cancelEnd ? rest.replace(cancelEnd, '') : rest).trim()
  if (except.test(wanted)) throw notUnderstood(RED)
  const one = wanted.replace(all, '')
  const name = nameOf(one, patterns)
  // "Every Monday reminder" is not every reminder.
  const isAll = name === '' && all.test(wanted)
  const { at } = readAt(one, [patterns.language])
  const isEach = at !== undefined && areAllOf(wanted, at.said, patterns)
  return { command: 'cancel', name, isAll, isEach, ...(at && { at }) }
}

/** Whether a text means all that are due at a time: "every alarm on Monday" does, but "every Monday reminder" may be one. */
function areAllOf(wanted: string, { day }: SaidText['said'], { commands }: Patterns): boolean {
  const [words] = commands.all.exec(wanted) ?? []
  if (words === undefined) return false
  return commands.kinds.test(words) || (day !== undefined && 'days' in day)
}

/** @returns nothing if the text says no time. */
function readSet(
  text: string,
  { language }: Patterns,
  { RED, clock }: CommandReader,
): ReminderCommand | undefined {
  const { when, name } = possible(readWhen(text, language, clock), RED)
  return when && { command: 'set', name, when }
}

/** @returns nothing if the text says no new time. */
function readChange(
  text: string,
  patterns: Patterns,
  { RED, clock }: CommandReader,
): ReminderCommand | undefined {
  const { language, commands } = patterns
  const isOnce = commands.later.test(text) || commands.earlier.test(text)
  const at = oldTimeOf(text, patterns)
  const rest = changeOf(text, at, patterns)
  const read = readWhen(rest, language, clock, { isChange: true, isMove: isOnce })
  const { when, days, name } = possible(read, RED)
  const by = when && changeBy(text, when, patterns)
  if (by) return { command: 'change', name, by, isExtension: commands.extend.test(text) }
  const which = { name, isOnce, ...(at && { at: { ...at, name } }) }
  if (when) return { command: 'change', when, ...which }
  return days && { command: 'change', days, ...which }
}

/** @throws {NodeInputError} for what no reminder can be: another language would read a part of it. */
export function possible(read: WhenResult, RED: Texts): WhenResult {
  if (read.isUnsupported) throw new NodeInputError(RED._('remind.error.not-possible'))
  return read
}

/** What a text says about when a reminder is due, in the first language in which it says something. */
export function readAt(text: string, languages: readonly ReminderLanguage[]): { at?: SaidText } {
  const texts = languages.map((language) => readSaid(text, language, { isOld: true }))
  const at = texts.find(({ said: { duration, recurrence, day, time, period } }) => {
    return duration ?? recurrence ?? day ?? time ?? period
  })
  return at ? { at } : {}
}

/** The time from which a command moves a reminder, or nothing: "from mum" belongs to the name. */
function oldTimeOf(text: string, { language, commands }: Patterns): SaidText | undefined {
  const [old = ''] = commands.from.exec(text) ?? []
  const { at } = readAt(old, [language])
  return at?.name === '' && !at.said.isUnsupported ? at : undefined
}

/** What a command to change is about, and its new time. */
function changeOf(text: string, old: SaidText | undefined, { commands }: Patterns): string {
  const { from, change, changeEnd } = commands
  const rest = (old ? text.replace(from, '') : text).replace(change, '')
  return changeEnd ? rest.replace(changeEnd, '') : rest
}

/** By how much a command such as `postpone the tea by ten minutes` moves a reminder; negative: to an earlier time. */
function changeBy(text: string, { amount }: DueTime, { commands }: Patterns): Duration | undefined {
  if (!amount) return undefined
  if (!commands.earlier.test(text)) return commands.later.test(text) ? amount : undefined
  return { days: 0 - amount.days, exactMs: 0 - amount.exactMs }
}

export function notUnderstood(RED: Texts): NodeInputError {
  return new NodeInputError(RED._('remind.error.not-understood'))
}
