import type { Reminder } from './reminder.ts'
import type { Reminders } from './reminders.ts'
import { type Listener, leftText, pointText, sayTo, timeText, titleOf } from './sentences.ts'

/** What a command has done. */
export interface ReminderAnswer {
  event: 'set' | 'changed' | 'cancelled' | 'listed' | 'unclear'
  /** A sentence to say. */
  sentence: string
  /** Those that the command is about. */
  reminders: Reminder[]
}

/** The person who has said a command, and the reminders that it is about. */
export interface ReminderListener extends Listener {
  reminders: Reminders
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

/** Says of each reminder what has happened to it. */
export function answer(
  event: keyof typeof eventSentences,
  reminders: Reminder[],
  listener: Listener,
): ReminderAnswer {
  const sentences = reminders.slice(0, maxSaid).map((one) =>
    sayTo(listener, eventSentences[event], {
      name: titleOf({ ...one, language: listener.language }),
      time: timeText(one, listener),
      left: leftText(one, listener),
    }),
  )
  return { event, sentence: sentences.join(' '), reminders }
}

/** Says only the next time of a reminder that has moved: it may repeat at others. */
export function answerMoved(reminder: Reminder, listener: Listener): ReminderAnswer {
  const name = titleOf({ ...reminder, language: listener.language })
  const sentence = sayTo(listener, 'set', { name, time: pointText(reminder.dueMs, listener) })
  return { event: 'changed', sentence, reminders: [reminder] }
}

/** Says that everything was cancelled. */
export function answerCancelledAll(reminders: Reminder[], listener: Listener): ReminderAnswer {
  return { event: 'cancelled', sentence: sayTo(listener, 'cancelledAll'), reminders }
}

/** Asks which of several reminders is meant. */
export function answerWhich(reminders: Reminder[], listener: Listener): ReminderAnswer {
  const sentence = sayTo(listener, 'which', { list: listText(reminders, listener) })
  return { event: 'unclear', sentence, reminders }
}

/** Says that there is no such reminder, and which there are. */
export function answerUnknown({ reminders, ...listener }: ReminderListener): ReminderAnswer {
  const all = reminders.list()
  const sentence =
    all.length === 0
      ? sayTo(listener, 'none')
      : sayTo(listener, 'unknown', { list: listText(all, listener) })
  return { event: 'unclear', sentence, reminders: all }
}

function listText(reminders: readonly Reminder[], listener: Listener): string {
  return reminders
    .slice(0, maxSaid)
    .map(
      (one) => `${titleOf({ ...one, language: listener.language })} (${timeText(one, listener)})`,
    )
    .join(', ')
}
