import { remindersAt, remindersNamed } from './find-reminders.ts'
import { isLater, soundsMs } from './move-reminder.ts'
import type { ChangeCommand } from './parsing/read-command.ts'
import type { SaidText } from './parsing/read-when.ts'
import type { Reminder } from './reminder.ts'
import {
  answerUnknown,
  answerWhich,
  type ReminderAnswer,
  type ReminderListener,
} from './reminder-answer.ts'
import { minuteMs } from './zoned-time.ts'

/** The reminder that a command means, or a sentence about those that there are. */
export type ReminderChoice = { reminder: Reminder } | { answer: ReminderAnswer }

/** How a command says which reminder it means. */
interface Wanted {
  name: string
  at?: SaidText
}

/** "Postpone it to five" is said of a reminder that sounds; "move it to Tuesday" rather of one that is still to come. */
const maxPostponedMs = 60 * minuteMs

/** Chooses the reminder to change. Without a name, it is one that may still sound, unless it would be postponed for hours. */
export function chooseToChange(command: ChangeCommand, listener: ReminderListener): ReminderChoice {
  if ('by' in command && command.isExtension) {
    const running = findAll(command, listener).filter(({ durationMs }) => durationMs !== undefined)
    if (running.length > 0) return chooseOnly(running, listener)
  }
  const said = findSaid(command, listener)
  return said ? { reminder: said } : chooseOne(command, listener)
}

/** The reminder that may still sound, if it is the one to postpone. */
function findSaid(command: ChangeCommand, listener: ReminderListener): Reminder | undefined {
  const { name, at } = command
  const { nowMs, reminders } = listener
  const isPostponed = 'by' in command ? isLater(command.by) : command.isOnce
  const said = isPostponed && !at ? reminders.saidSince(nowMs - soundsMs) : undefined
  if (!said) return undefined
  const isSoon =
    'by' in command || ('when' in command && command.when.dueMs - nowMs <= maxPostponedMs)
  const isOnlyOne = reminders.list().every(({ id }) => id === said.id)
  const isMeant = name === '' ? isSoon || isOnlyOne : remindersNamed([said], name).length > 0
  return isMeant ? said : undefined
}

/** Chooses the reminder with a name or a time, or the only one. */
export function chooseOne(wanted: Wanted, listener: ReminderListener): ReminderChoice {
  const found = findAll(wanted, listener)
  return found.length > 0 ? chooseOnly(found, listener) : { answer: answerUnknown(listener) }
}

/** Finds all reminders of a time. `All alarms on Monday` are not the one that is called `Monday paper`. */
export function findEach({ name, at }: Wanted, { reminders, ...clock }: ReminderListener) {
  const all = reminders.list()
  const due = at ? remindersAt(all, at, clock) : []
  return due.length > 0 ? due : remindersNamed(all, name)
}

/** The only reminder of those that were found. Otherwise, a question. */
function chooseOnly(found: Reminder[], listener: ReminderListener): ReminderChoice {
  const [only] = found
  if (only && found.length === 1) return { reminder: only }
  return { answer: answerWhich(found, listener) }
}

/** The reminders with a name or a time. */
function findAll({ name, at }: Wanted, { reminders, ...clock }: ReminderListener): Reminder[] {
  const all = reminders.list()
  const named = remindersNamed(all, name)
  const due = at && named.length !== 1 ? remindersAt(all, at, clock) : []
  return due.length > 0 ? due : named
}
