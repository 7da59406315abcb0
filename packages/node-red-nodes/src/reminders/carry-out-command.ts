import { randomUUID } from 'node:crypto'
import { NodeLimitError } from '../runtime/failure.ts'
import type { Texts } from '../runtime/texts.ts'
import { chooseOne, chooseToChange, findEach } from './choose-reminder.ts'
import { remindersNamed } from './find-reminders.ts'
import { dueAtTimeMs, dueOnDayMs, moveBy, moveOnce, otherTimes } from './move-reminder.ts'
import { type ChangeCommand, notUnderstood, type ReminderCommand } from './parsing/read-command.ts'
import type { DueTime } from './parsing/resolve-when.ts'
import type { Reminder } from './reminder.ts'
import {
  answer,
  answerCancelledAll,
  answerMoved,
  answerUnknown,
  type ReminderAnswer,
  type ReminderListener,
} from './reminder-answer.ts'
import { maxReminders } from './reminders.ts'

export interface CommandContext extends ReminderListener {
  RED: Texts
  nodeId: string
  /** Whether a timer also says when half of its time is over, unless the command says it. */
  half: boolean
  /** The message of the command, without what JSON cannot hold. */
  message: Record<string, unknown>
}

/**
 * Does what a command wants.
 * @throws {NodeLimitError} if there are too many reminders.
 * @throws {NodeInputError} if a reminder cannot move to a day because its time of day is over.
 */
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

function change(command: ChangeCommand, context: CommandContext): ReminderAnswer {
  const choice = chooseToChange(command, context)
  if ('answer' in choice) return choice.answer
  const { reminder } = choice
  const { nowMs } = context
  if ('by' in command) return replace(moveBy(reminder, command.by, nowMs), context)
  if ('days' in command) {
    const dueMs = dueOnDayMs(reminder, command.days, nowMs)
    if (dueMs === undefined) throw notUnderstood(context.RED)
    return changeTime(reminder, { dueMs }, context)
  }
  const { when, isOnce } = command
  if (when.recurrence) return setAgain(reminder, when, context)
  const others = isOnce ? undefined : otherTimes(reminder, when, nowMs)
  if (others) return setAgain(reminder, others, context)
  return changeTime(reminder, { ...when, dueMs: dueAtTimeMs(reminder, when, nowMs) }, context)
}

/** Gives a reminder another time. One that repeats moves only once. */
function changeTime(reminder: Reminder, when: DueTime, context: CommandContext): ReminderAnswer {
  if (!reminder.recurrence) return setAgain(reminder, when, context)
  return replace(moveOnce(reminder, when.dueMs, context.nowMs), context)
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

function replace(moved: Reminder, context: CommandContext): ReminderAnswer {
  keep(moved, context)
  return answerMoved(moved, context)
}

/** @throws {NodeLimitError} */
function keep(reminder: Reminder, { RED, reminders }: CommandContext): void {
  if (!reminders.hasRoomFor(reminder.id)) {
    throw new NodeLimitError(RED._('remind.error.full', { max: maxReminders }))
  }
  reminders.set(reminder)
}

function cancel(
  command: Extract<ReminderCommand, { command: 'cancel' }>,
  context: CommandContext,
): ReminderAnswer {
  const { reminders } = context
  const all = reminders.list()
  if (command.isAll && all.length > 0) {
    reminders.cancel(all)
    return answerCancelledAll(all, context)
  }
  const { at, isEach } = command
  // Not now: "cancel the tea in ten minutes". In two days, rather the tea is due.
  if (at?.said.isFromNow && at.said.duration?.days === 0) return answerUnknown(context)
  const each = isEach ? findEach(command, context) : []
  const choice = each.length > 0 ? undefined : chooseOne(command, context)
  if (choice && 'answer' in choice) return choice.answer
  const found = choice ? [choice.reminder] : each
  reminders.cancel(found)
  return answer('cancelled', found, context)
}

function list({ name }: { name: string }, context: CommandContext): ReminderAnswer {
  const named = remindersNamed(context.reminders.list(), name)
  return named.length === 0 ? answerUnknown(context) : answer('listed', named, context)
}

/** Whether a reminder says when half of its time is over. @param wanted what its command has said about it, if anything. */
function halfOf(
  { durationMs, recurrence }: Pick<DueTime, 'durationMs' | 'recurrence'>,
  wanted: boolean | undefined,
  context: CommandContext,
) {
  // The setting of the form is for timers: half of the time until tomorrow is of no interest.
  const isTimer = durationMs !== undefined
  const isSaid = !recurrence && (wanted ?? (context.half && isTimer))
  return { ...(isSaid && { half: true }), ...(wanted !== undefined && { wantsHalf: wanted }) }
}

function timesOf({ dueMs, durationMs, recurrence }: DueTime) {
  return {
    dueMs,
    ...(durationMs !== undefined && { durationMs }),
    ...(recurrence && { recurrence }),
  }
}
