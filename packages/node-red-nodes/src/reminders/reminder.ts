import { isLanguageCode } from '@parlando/core/text'
import { isPlainObject } from '../runtime/settings.ts'
import { isRecurrence, type Recurrence } from './recurrence.ts'
import { isTimeZone } from './zoned-time.ts'

/** Something that somebody wants to be reminded of. Times are in milliseconds since 1970. */
export interface Reminder {
  id: string
  /** The id of the node that keeps it. */
  nodeId: string
  /** Empty: a timer without a name. */
  name: string
  setMs: number
  dueMs: number
  /** How long a timer runs. Absent for a point in time. */
  durationMs?: number
  recurrence?: Recurrence
  /** When one that repeats was said last. Absent: not yet, or it has moved since. */
  saidMs?: number
  /** When one that repeats comes after `dueMs`, if it has moved once. */
  nextMs?: number
  /** The zone of the clock on the wall. */
  timeZone: string
  /** The language of the person, such as `de`. */
  language: string
  /** Whether there is a message when half of the time is over. It is taken away then. */
  half?: boolean
  /** What the command has said about half of the time; absent: nothing. It also holds when the reminder is changed. */
  wantsHalf?: boolean
  /** The message that set it, without what JSON cannot hold. */
  message: Record<string, unknown>
}

/** Why a reminder sends a message. `late`: this machine was off when it was due. */
export type ReminderEvent = 'due' | 'late' | 'half'

/** When half of the time is over. */
export function halfTimeOf({ setMs, dueMs }: Pick<Reminder, 'setMs' | 'dueMs'>): number {
  return (setMs + dueMs) / 2
}

/** Whether a value from a file is a reminder. */
export function isReminder(value: unknown): value is Reminder {
  if (!isPlainObject(value)) return false
  const { durationMs, recurrence, saidMs, nextMs, half, wantsHalf, language } = value
  const texts = ['id', 'nodeId', 'name', 'timeZone'].map((key) => value[key])
  const times = ['setMs', 'dueMs'].map((key) => value[key])
  const maybe = [durationMs, saidMs, nextMs].map((time) => time ?? 0)
  return (
    texts.every((text) => typeof text === 'string') &&
    [...times, ...maybe].every(isTime) &&
    typeof language === 'string' &&
    isLanguageCode(language) &&
    isTimeZone(value['timeZone'] as string) &&
    (recurrence === undefined || isRecurrence(recurrence)) &&
    [half, wantsHalf].every((wish) => wish === undefined || typeof wish === 'boolean') &&
    isPlainObject(value['message'])
  )
}

/** Whether a number is one of milliseconds that a Date can have, with room for the time zone and for the next time. */
const isTime = (value: unknown) => Number.isFinite(value) && Math.abs(Number(value)) < 8e15
