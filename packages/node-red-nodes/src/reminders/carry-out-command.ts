import { randomUUID } from 'node:crypto'
import { NodeLimitError } from '../runtime/failure.ts'
import type { Texts } from '../runtime/texts.ts'
import { remindersAt, remindersNamed } from './find-reminders.ts'
import { isLater, moveBy, movedTo, moveOnce, otherTimes, soundsMs } from './move-reminder.ts'
import type { ReminderCommand } from './parsing/read-command.ts'
import type { SaidText } from './parsing/read-when.ts'
import type { DueTime } from './parsing/resolve-when.ts'
import type { Reminder } from './reminder.ts'
import { maxReminders, type Reminders } from './reminders.ts'
import { type Listener, leftText, pointText, sayTo, timeText, titleOf } from './sentences.ts'
import { minuteMs } from './zoned-time.ts'

/** What a command has done. */
export interface ReminderAnswer {
  event: 'set' | 'changed' | 'cancelled' | 'listed' | 'unclear'
  /** A sentence to say. */
  sentence: string
  /** Those that the command is about. */
  reminders: Reminder[]
}

export interface CommandContext extends Listener {
  RED: Texts
  reminders: Reminders
  nodeId: string
  /** Whether a timer also says when half of its time is over, unless the command says it. */
  half: boolean
  /** The message of the command, without what JSON cannot hold. */
  message: Record<string, unknown>
}

/** Does what a command wants. @throws {NodeLimitError} if there are too many reminders. */
export function carryOut(command: ReminderCommand, context: CommandContext): ReminderAnswer {
  switch (command.command) {
    case 'set':
      return set(command, context)
    case 'list':
      return list(command, context)
    case 'cancel':
      return cancel(command, context)
    case 'change':
      return change(command, context)
  }
}

function set(
  { name, when, half }: Extract<ReminderCommand, { command: 'set' }>,
  context: CommandContext,
): ReminderAnswer {
  const { nodeId, nowMs, timeZone, language, message } = context
  const reminder: Reminder = {
    id: randomUUID(),
    nodeId,
    name,
    setMs: nowMs,
    ...timesOf(when),
    timeZone,
    language,
    ...halfOf(when, half, context),
    message,
  }
  keep(reminder, context)
  return answer('set', [reminder], context)
}

function change(
  command: Extract<ReminderCommand, { command: 'change' }>,
  context: CommandContext,
): ReminderAnswer {
  const found = findToChange(command, context)
  if ('sentence' in found) return found
  const { nowMs } = context
  if ('by' in command) return moved(moveBy(found, command.by, nowMs), context)
  const { when, isOnce } = command
  if (when.recurrence) return setAgain(found, when, context)
  if (!found.recurrence) {
    return setAgain(found, { ...when, dueMs: movedTo(found, when, nowMs) }, context)
  }
  const others = isOnce ? undefined : otherTimes(found, when, nowMs)
  if (others) return setAgain(found, others, context)
  return moved(moveOnce(found, when, nowMs), context)
}

function setAgain(found: Reminder, when: DueTime, context: CommandContext): ReminderAnswer {
  const {
    durationMs: _durationMs,
    recurrence: _recurrence,
    saidMs: _saidMs,
    nextMs: _nextMs,
    half: _half,
    ...rest
  } = found
  const reminder: Reminder = {
    ...rest,
    setMs: context.nowMs,
    ...timesOf(when),
    ...halfOf(when, found.wantsHalf, context),
  }
  keep(reminder, context)
  return answer('changed', [reminder], context)
}

/** The answer says only the next time of a reminder that has moved: it may repeat at others. */
function moved(reminder: Reminder, context: CommandContext): ReminderAnswer {
  keep(reminder, context)
  const name = titleOf({ ...reminder, language: context.language })
  const sentence = sayTo(context, 'set', { name, time: pointText(reminder.dueMs, context) })
  return { event: 'changed', sentence, reminders: [reminder] }
}

/** @throws {NodeLimitError} */
function keep(reminder: Reminder, { RED, reminders }: CommandContext): void {
  if (!reminders.hasRoomFor(reminder.id)) {
    throw new NodeLimitError(RED._('remind.error.full', { max: maxReminders }))
  }
  reminders.set(reminder)
}

/** "Postpone it to five" is said of a reminder that sounds; "move it to Tuesday" rather of one that is still to come. */
const maxPostponedMs = 60 * minuteMs

/** The reminder to change. Without a name, one that may still sound is postponed first, unless it would be for hours. */
function findToChange(
  command: Extract<ReminderCommand, { command: 'change' }>,
  context: CommandContext,
): Reminder | ReminderAnswer {
  const { name, at } = command
  if ('by' in command && command.isExtension) {
    const running = findAll(command, context).filter(({ durationMs }) => durationMs !== undefined)
    if (running.length > 0) return onlyOne(running, context)
  }
  const isPostponed = 'by' in command ? isLater(command.by) : command.isOnce
  const said = isPostponed && !at && context.reminders.saidSince(context.nowMs - soundsMs)
  const isOnlyOne = said && context.reminders.list().every(({ id }) => id === said.id)
  const isSoon = 'by' in command || command.when.dueMs - context.nowMs <= maxPostponedMs
  const isMeant =
    said && (name === '' ? isSoon || isOnlyOne : remindersNamed([said], name).length > 0)
  return isMeant ? said : findOne(command, context)
}

function cancel(
  command: Extract<ReminderCommand, { command: 'cancel' }>,
  context: CommandContext,
): ReminderAnswer {
  const { reminders } = context
  const all = reminders.list()
  if (command.isAll && all.length > 0) {
    reminders.cancel(all)
    return { event: 'cancelled', sentence: sayTo(context, 'cancelledAll'), reminders: all }
  }
  const { at } = command
  // Not now: "cancel the tea in ten minutes". In two days, rather the tea is due.
  if (at?.said.isFromNow && at.said.duration?.days === 0) return failed(all, context)
  const found = command.isEach ? findEach(command, context) : []
  if (found.length === 0) {
    const one = findOne(command, context)
    if ('sentence' in one) return one
    found.push(one)
  }
  reminders.cancel(found)
  return answer('cancelled', found, context)
}

function list({ name }: { name: string }, context: CommandContext): ReminderAnswer {
  const all = context.reminders.list()
  const named = remindersNamed(all, name)
  if (named.length === 0) return failed(all, context)
  return answer('listed', named, context)
}

/** The reminder with a name or a time, or the only one. Otherwise, a sentence about those that there are. */
function findOne(
  command: { name: string; at?: SaidText },
  context: CommandContext,
): Reminder | ReminderAnswer {
  const found = findAll(command, context)
  return found.length > 0 ? onlyOne(found, context) : failed(context.reminders.list(), context)
}

/** The only reminder of those that were found. Otherwise, a question. */
function onlyOne(found: Reminder[], context: CommandContext): Reminder | ReminderAnswer {
  const [only] = found
  if (only && found.length === 1) return only
  const sentence = sayTo(context, 'which', { list: listText(found, context) })
  return { event: 'unclear', sentence, reminders: found }
}

/** The reminders with a name or a time. */
function findAll(
  { name, at }: { name: string; at?: SaidText },
  context: CommandContext,
): Reminder[] {
  const all = context.reminders.list()
  const named = remindersNamed(all, name)
  const due = at && named.length !== 1 ? remindersAt(all, at, context) : []
  return due.length > 0 ? due : named
}

/** All reminders of a time. `All alarms on Monday` are not the one that is called `Monday paper`. */
function findEach(
  { name, at }: { name: string; at?: SaidText },
  context: CommandContext,
): Reminder[] {
  const all = context.reminders.list()
  const due = at ? remindersAt(all, at, context) : []
  return due.length > 0 ? due : remindersNamed(all, name)
}

function failed(all: Reminder[], context: CommandContext): ReminderAnswer {
  const sentence =
    all.length === 0
      ? sayTo(context, 'none')
      : sayTo(context, 'unknown', { list: listText(all, context) })
  return { event: 'unclear', sentence, reminders: all }
}

/** Somebody can listen to this many. */
const maxSaid = 5

/** The sentence of an event. */
const eventSentences = {
  set: 'set',
  changed: 'set',
  cancelled: 'cancelled',
  listed: 'left',
} as const

function answer(
  event: keyof typeof eventSentences,
  reminders: Reminder[],
  context: CommandContext,
): ReminderAnswer {
  const sentences = reminders.slice(0, maxSaid).map((one) =>
    sayTo(context, eventSentences[event], {
      name: titleOf({ ...one, language: context.language }),
      time: timeText(one, context),
      left: leftText(one, context),
    }),
  )
  return { event, sentence: sentences.join(' '), reminders }
}

function listText(reminders: readonly Reminder[], context: CommandContext): string {
  return reminders
    .slice(0, maxSaid)
    .map((one) => `${titleOf({ ...one, language: context.language })} (${timeText(one, context)})`)
    .join(', ')
}

/** Whether a reminder says when half of its time is over. @param wanted what its command has said about it, if anything. */
function halfOf(
  { durationMs, recurrence }: Partial<Reminder>,
  wanted: boolean | undefined,
  context: CommandContext,
) {
  // The setting of the form is for timers: half of the time until tomorrow is of no interest.
  const isTimer = durationMs !== undefined
  const isSaid = !recurrence && (wanted ?? (context.half && isTimer))
  return { ...(isSaid && { half: true }), ...(wanted !== undefined && { wantsHalf: wanted }) }
}

function timesOf({ dueMs, durationMs, recurrence }: { dueMs: number } & Partial<Reminder>) {
  return {
    dueMs,
    ...(durationMs !== undefined && { durationMs }),
    ...(recurrence && { recurrence }),
  }
}
