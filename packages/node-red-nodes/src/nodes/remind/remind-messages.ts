import type { NodeMessageInFlow } from 'node-red'
import type { Reminder, ReminderEvent } from '../../reminders/reminder.ts'
import type { ReminderAnswer } from '../../reminders/reminder-answer.ts'
import { dueSentence } from '../../reminders/sentences.ts'
import { savableMessage } from '../../saved/savable-message.ts'

export interface RemindMessage extends NodeMessageInFlow {
  /** A text, or an object with a command. */
  remind?: unknown
  language?: unknown
  /** Cancels all reminders of the node. */
  stop?: unknown
  reminder?: object
  reminders?: object[]
}

/** The properties of a message that a reminder keeps for the time at which it is due. */
export function keptMessage(message: RemindMessage): Record<string, unknown> {
  const { payload: _payload, remind: _remind, ...rest } = savableMessage(message, '')
  // They belong to the recording or the sequence from which the text came, or to an earlier reminder.
  const { parts: _parts, complete: _complete, reminder: _reminder, reminders: _list, ...own } = rest
  return own
}

/** The message of a reminder that is due. */
export function dueMessage(
  reminder: Reminder,
  event: ReminderEvent,
  id: string,
): NodeMessageInFlow & Record<string, unknown> {
  const nowMs = Date.now()
  return {
    ...reminder.message,
    _msgid: id,
    payload: dueSentence(reminder, event, nowMs),
    reminder: {
      event,
      ...describe(reminder, nowMs),
      ...(event === 'late' && { lateSeconds: Math.round((nowMs - reminder.dueMs) / 1000) }),
    },
  }
}

/** Makes the message with the answer to a command of the message with the command. */
export function answerMessage(message: RemindMessage, answer: ReminderAnswer): RemindMessage {
  const { event, sentence, reminders } = answer
  const nowMs = Date.now()
  const described = reminders.map((reminder) => describe(reminder, nowMs))
  const isOne = event !== 'unclear' && described.length === 1
  return Object.assign(message, {
    payload: sentence,
    reminder: { event, ...(isOne && described[0]) },
    reminders: described,
  })
}

function describe({ id, name, setMs, dueMs, recurrence }: Reminder, nowMs: number) {
  return {
    id,
    name,
    set: new Date(setMs).toISOString(),
    due: new Date(dueMs).toISOString(),
    leftSeconds: Math.max(0, Math.round((dueMs - nowMs) / 1000)),
    repeats: recurrence !== undefined,
  }
}
