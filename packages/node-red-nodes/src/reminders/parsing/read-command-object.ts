import { types } from 'node:util'
import { readingLanguages } from '../../grammars/by-language.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { isPlainObject } from '../../runtime/settings.ts'
import {
  type CommandReader,
  notUnderstood,
  possible,
  type ReminderCommand,
  readAt,
} from './read-command.ts'
import { maxCharacters, readWhen, type WhenResult } from './read-when.ts'
import { isToCome } from './resolve-when.ts'
import type { Duration } from './said-when.ts'
import type { ChangeOfTime } from './take-when.ts'

const commandNames = ['set', 'list', 'cancel', 'change'] as const

/** Reads the object in `msg.remind`. @throws {NodeInputError} */
export function readCommandObject(value: unknown, reader: CommandReader): ReminderCommand {
  const { RED, language } = reader
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
    const at = readAt(name, readingLanguages(language))
    const areAll = all === true
    return { command, name, isAll: areAll && name === '', isEach: areAll && name !== '', ...at }
  }
  if (command === 'change' && by !== '') {
    return { command, name, by: readAmount(by, reader), isExtension: false }
  }
  if (command === 'change') return readChange(name, when, reader)
  const read = readTime(when, reader)
  if (!read.when) throw notUnderstood(RED)
  const wanted = typeof half === 'boolean' && { half }
  return { command: 'set', name: name || read.name, when: read.when, ...wanted }
}

function readChange(name: string, value: unknown, reader: CommandReader): ReminderCommand {
  const { when, days } = readTime(value, reader, { isChange: true })
  if (when) return { command: 'change', name, when, isOnce: false }
  if (days) return { command: 'change', name, days, isOnce: false }
  throw notUnderstood(reader.RED)
}

/** Reads a time that is a text, a Date or the milliseconds since 1970. @returns neither `when` nor `days` if it is none to come. */
function readTime(
  value: unknown,
  { RED, language: code, clock }: CommandReader,
  change: ChangeOfTime = {},
): Omit<WhenResult, 'isUnsupported'> {
  // That of a function node is not an instance of our Date.
  const timeMs = types.isDate(value) ? value.getTime() : value
  if (typeof timeMs === 'number' && isToCome(timeMs, clock)) {
    return { when: { dueMs: timeMs }, name: '' }
  }
  for (const language of typeof value === 'string' ? readingLanguages(code) : []) {
    const read = possible(readWhen(String(value), language, clock, change), RED)
    if (read.when ?? read.days) return read
  }
  return { name: '' }
}

/** A duration as a text. */
function readAmount(by: unknown, { RED, language: code, clock }: CommandReader): Duration {
  if (typeof by !== 'string') throw notUnderstood(RED)
  for (const language of readingLanguages(code)) {
    const { when, name } = readWhen(by, language, clock)
    // The rest of "ten minutes earlier" says something else.
    if (when?.amount && name === '') return when.amount
  }
  throw notUnderstood(RED)
}
