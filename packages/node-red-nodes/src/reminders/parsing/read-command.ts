import { types } from 'node:util'
import { readingLanguages } from '../../grammars/by-language.ts'
import type { ReminderLanguage } from '../../grammars/reminder-language.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { isPlainObject } from '../../runtime/settings.ts'
import type { Texts } from '../../runtime/texts.ts'
import { compileLanguage, type Patterns } from './compile-language.ts'
import {
  maxCharacters,
  nameOf,
  readSaid,
  readWhen,
  type SaidText,
  type When,
  type WhenResult,
} from './read-when.ts'
import { isToCome, type WallClock } from './resolve-when.ts'
import type { Duration } from './said-when.ts'

/**
 * What somebody wants of the reminders. A reminder is known by its name, or by the time at which it is due; `at` is what the command
 * says about that time, such as `seven` of "my seven o'clock alarm", with the rest of the name.
 */
export type ReminderCommand =
  | { command: 'set'; when: When; name: string; half?: boolean }
  | { command: 'list'; name: string }
  /** `isAll`: every reminder of the node. `isEach`: every reminder with the name, or at the time. Otherwise, one reminder. */
  | { command: 'cancel'; name: string; isAll: boolean; isEach?: boolean; at?: SaidText }
  /** `isOnce`: a reminder that repeats moves only this time, and keeps its days. */
  | { command: 'change'; name: string; when: When; isOnce?: boolean; at?: SaidText }
  /** Moves a reminder from when it is due. `isExtension`: rather a timer that still runs, if there is one. */
  | { command: 'change'; name: string; by: Duration; isExtension?: boolean; at?: never }

export interface CommandReader {
  RED: Texts
  /** A language such as `de-AT`. English is read, too. */
  language: string
  clock: WallClock
}

const commandNames = ['set', 'list', 'cancel', 'change'] as const

/** Reads a sentence that somebody has said or written. @throws {NodeInputError} */
export function readSentence(text: string, reader: CommandReader): ReminderCommand {
  const { RED, language: code, clock } = reader
  if (text.length > maxCharacters) {
    throw new NodeInputError(RED._('remind.error.too-long', { max: maxCharacters }))
  }
  for (const language of readingLanguages(code)) {
    const patterns = compileLanguage(language)
    const { cancel, question, list, change, never } = patterns.commands
    const isCommand = (command: RegExp) => command.test(text) && !never?.test(text)
    if (isCommand(cancel) && !isTask(text, language, clock)) return readCancel(text, patterns, RED)
    if (question.test(text)) return { command: 'list', name: '' }
    const read = (isCommand(change) ? readChange : readSet)(text, patterns, reader)
    if (read) return read
    if (list.test(text)) return { command: 'list', name: '' }
  }
  throw notUnderstood(RED)
}

/** Whether a command to cancel is what somebody wants to be reminded of, such as `stop the dryer in ten minutes`. */
function isTask(text: string, language: ReminderLanguage, clock: WallClock): boolean {
  const { cancel, task, kinds } = compileLanguage(language).commands
  if (!task.test(text) || kinds.test(text)) return false
  const { when, isUnsupported } = readWhen(text.replace(cancel, ''), language, clock)
  return isUnsupported || (when !== undefined && when.name !== '')
}

function readCancel(text: string, patterns: Patterns, RED: Texts): ReminderCommand {
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
  return { command: 'cancel', name, isAll, ...(isEach && { isEach }), ...(at && { at }) }
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
  const when = possibleTime(readWhen(text, language, clock), RED)
  return when && { command: 'set', name: when.name, when }
}

/** @returns nothing if the text says no new time. */
function readChange(
  text: string,
  patterns: Patterns,
  { RED, clock }: CommandReader,
): ReminderCommand | undefined {
  const { language, commands } = patterns
  const isOnce = commands.later.test(text) || commands.earlier.test(text)
  const at = oldTimeOf(text, language)
  const rest = changeOf(text, at, patterns)
  const read = readWhen(rest, language, clock, { isChange: true, isMove: isOnce })
  const when = possibleTime(read, RED)
  if (!when) return undefined
  const { name } = when
  const by = changeBy(text, when, patterns)
  if (by) return { command: 'change', name, by, isExtension: commands.extend.test(text) }
  return { command: 'change', name, when, isOnce, ...(at && { at: { ...at, name } }) }
}

/** @throws {NodeInputError} for what no reminder can be: another language would read a part of it. */
function possibleTime({ when, isUnsupported }: WhenResult, RED: Texts): When | undefined {
  if (isUnsupported) throw notPossible(RED)
  return when
}

/** What a text says about when a reminder is due, in the first language in which it says something. */
function readAt(text: string, languages: readonly ReminderLanguage[]): { at?: SaidText } {
  const texts = languages.map((language) => readSaid(text, language, { isOld: true }))
  const at = texts.find(({ said: { duration, recurrence, day, time, period } }) => {
    return duration ?? recurrence ?? day ?? time ?? period
  })
  return at ? { at } : {}
}

/** The time from which a command moves a reminder, or nothing: "from mum" belongs to the name. */
function oldTimeOf(text: string, language: ReminderLanguage): SaidText | undefined {
  const [old = ''] = compileLanguage(language).commands.from.exec(text) ?? []
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
function changeBy(text: string, { amount }: When, { commands }: Patterns): Duration | undefined {
  if (!amount) return undefined
  if (!commands.earlier.test(text)) return commands.later.test(text) ? amount : undefined
  return { days: 0 - amount.days, exactMs: 0 - amount.exactMs }
}

/** Reads the object in `msg.remind`. @throws {NodeInputError} */
export function readCommandObject(value: unknown, reader: CommandReader): ReminderCommand {
  const { RED, language: code } = reader
  if (!isPlainObject(value)) throw new NodeInputError(RED._('remind.error.not-command'))
  const { command = 'set', name: given = '', all, half, when, by = '' } = value
  if (!commandNames.includes(command as 'set')) {
    const commands = commandNames.join(', ')
    throw new NodeInputError(RED._('remind.error.not-known', { commands }))
  }
  if (typeof given !== 'string' || given.length > maxCharacters) {
    throw new NodeInputError(RED._('remind.error.not-name', { max: maxCharacters }))
  }
  const name = given.trim()
  if (command === 'list') return { command, name }
  if (command === 'cancel') {
    return { command, name, isAll: all === true, ...readAt(name, readingLanguages(code)) }
  }
  if (command === 'change' && by !== '') return { command, name, by: readAmount(by, reader) }
  const read = readTimeValue(when, reader)
  if (command === 'change') return { command, name, when: read }
  return {
    command: 'set',
    name: name || read.name,
    when: read,
    ...(typeof half === 'boolean' && { half }),
  }
}

/** A time as a text, a Date or the milliseconds since 1970. */
function readTimeValue(when: unknown, { RED, language: code, clock }: CommandReader): When {
  // That of a function node is not an instance of our Date.
  const timeMs = types.isDate(when) ? when.getTime() : when
  if (typeof timeMs === 'number' && isToCome(timeMs, clock)) return { dueMs: timeMs, name: '' }
  if (typeof when !== 'string') throw notUnderstood(RED)
  for (const language of readingLanguages(code)) {
    const time = possibleTime(readWhen(when, language, clock), RED)
    if (time) return time
  }
  throw notUnderstood(RED)
}

/** A duration as a text. */
function readAmount(by: unknown, { RED, language: code, clock }: CommandReader): Duration {
  if (typeof by !== 'string') throw notUnderstood(RED)
  for (const language of readingLanguages(code)) {
    const { when } = readWhen(by, language, clock)
    // The rest of "ten minutes earlier" says something else.
    if (when?.amount && when.name === '') return when.amount
  }
  throw notUnderstood(RED)
}

function notPossible(RED: Texts): NodeInputError {
  return new NodeInputError(RED._('remind.error.not-possible'))
}

function notUnderstood(RED: Texts): NodeInputError {
  return new NodeInputError(RED._('remind.error.not-understood'))
}
