import { isPlainObject } from '../../runtime/settings.ts'
import type { SavedMessage } from '../../saved/restored-messages.ts'
import { createSavedList, type SavedList } from '../../saved/saved-list.ts'

/** An alarm that nobody has acknowledged, or an announcement that somebody has postponed. */
export interface SavedAlarm extends SavedMessage {
  text: string
  /** How often it was said. */
  times: number
  /** If somebody has postponed it: when it is said again, in ms since 1970. */
  againAt?: number
  /** Its message has left the node: it is said again because somebody wanted that after its end. */
  hasLeft?: boolean
}

/** The announcer has 50 at most, but a flow that is switched off keeps its own. */
const maxAlarms = 200

/** Keeps alarms over a restart of Node-RED. */
export type AlarmStore = SavedList<SavedAlarm>

/** @param onError Called when an alarm cannot be saved; it is announced nevertheless. */
export function createAlarmStore(path: string, onError: (error: Error) => void): AlarmStore {
  return createSavedList({ path, isEntry: isSavedAlarm, maxEntries: maxAlarms, onError })
}

function isSavedAlarm(value: unknown): value is SavedAlarm {
  if (!isPlainObject(value)) return false
  const { id, nodeId, message, text, times, againAt = 0, hasLeft = false } = value
  const areTexts = [id, nodeId, text].every((entry) => typeof entry === 'string')
  const areNumbers = [times, againAt].every((entry) => typeof entry === 'number')
  return areTexts && areNumbers && typeof hasLeft === 'boolean' && isPlainObject(message)
}
