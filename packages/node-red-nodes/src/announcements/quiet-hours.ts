import type { Target } from '../playback/play-on-speakers.ts'
import type { QuietHours, Speaker } from '../speakers/speaker.ts'
import { isLower, type Priority } from './announcement.ts'

export interface QuietDecision {
  /** The speakers that may play now. */
  targets: Target[]
  /** What to do if none of them may. */
  otherwise: 'drop' | 'hold'
}

/** Decides by the local time where an announcement may be said, and how loud. */
export function applyQuietHours(
  speakers: readonly Speaker[],
  announcement: { priority: Priority; volume?: number },
  date: Date,
): QuietDecision {
  const decided = speakers.map((speaker) => ({
    speaker,
    action: actionOf(speaker.settings.quietHours, announcement.priority, date),
  }))
  const targets = decided
    .filter(({ action }) => action === undefined || action === 'softly')
    .map(({ speaker, action }) => {
      const { volume, maxVolume } = speaker.settings
      const full = Math.min(announcement.volume ?? volume, maxVolume)
      return { speaker, volume: action === 'softly' ? full / 4 : full }
    })
  const isHeld = decided.some(({ action }) => action === 'hold')
  return { targets, otherwise: isHeld ? 'hold' : 'drop' }
}

function actionOf(
  hours: QuietHours | undefined,
  priority: Priority,
  date: Date,
): QuietHours['action'] | undefined {
  if (!hours || !isLower(priority, hours.minPriority) || !isQuiet(hours, date)) return undefined
  return hours.action
}

/**
 * Whether the hours include this local time. They follow the clock on the wall: when daylight saving changes, a night is an
 * hour longer or shorter. Hours that begin and end at the same time last all day.
 */
export function isQuiet({ from, to }: Pick<QuietHours, 'from' | 'to'>, date: Date): boolean {
  const start = minuteOf(from)
  const end = minuteOf(to)
  if (start === undefined || end === undefined) return false
  const now = date.getHours() * 60 + date.getMinutes()
  return start < end ? now >= start && now < end : now >= start || now < end
}

/** The minute of the day. @returns `undefined` for anything but a time such as `7:30` or `22:00`. */
function minuteOf(time: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}
