import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPlainObject } from '../../runtime/settings.ts'
import { reviveBuffer } from './savable-message.ts'

/** An alarm that nobody has acknowledged. */
export interface SavedAlarm {
  id: string
  /** Of the node that announces it. */
  nodeId: string
  /** The message, without what JSON cannot hold. */
  message: Record<string, unknown>
  text: string
  /** How often it was said. */
  times: number
}

/** Keeps alarms over a restart of Node-RED, in a small file. */
export interface AlarmStore {
  /** The alarms of a node that were saved before. */
  of(nodeId: string): SavedAlarm[]
  /** Saves an alarm, or what has changed. */
  save(alarm: SavedAlarm): void
  remove(id: string): void
  /** Resolves when the file has all changes. */
  flush(): Promise<void>
}

/** The announcer has 50 at most, but a flow that is switched off keeps its own. */
const maxAlarms = 200

/** @param onError Called when an alarm cannot be saved; it is announced nevertheless. */
export function createAlarmStore(path: string, onError: (error: Error) => void): AlarmStore {
  let alarms: Map<string, SavedAlarm> | undefined
  let hasChanged = false
  let writing: Promise<void> | undefined

  const load = () => {
    alarms ??= new Map(readAlarms(path).map((alarm) => [alarm.id, alarm]))
    return alarms
  }
  const write = async () => {
    while (hasChanged) {
      hasChanged = false
      await writeAtomically(path, JSON.stringify([...load().values()])).catch(onError)
    }
    writing = undefined
  }
  const change = () => {
    hasChanged = true
    writing ??= write()
  }

  return {
    of: (nodeId) => [...load().values()].filter((alarm) => alarm.nodeId === nodeId),
    save(alarm) {
      const saved = load()
      saved.set(alarm.id, alarm)
      const [oldest] = saved.keys()
      if (saved.size > maxAlarms && oldest) {
        saved.delete(oldest)
        onError(new Error(`only ${maxAlarms} are saved`))
      }
      change()
    },
    remove(id) {
      if (load().delete(id)) change()
    },
    async flush() {
      await writing
    },
  }
}

/** @returns nothing if there is no file, or if the file is damaged. */
function readAlarms(path: string): SavedAlarm[] {
  try {
    const saved: unknown = JSON.parse(readFileSync(path, 'utf8'), reviveBuffer)
    return Array.isArray(saved) ? saved.filter(isSavedAlarm).slice(-maxAlarms) : []
  } catch {
    return []
  }
}

function isSavedAlarm(value: unknown): value is SavedAlarm {
  if (!isPlainObject(value)) return false
  const { id, nodeId, message, text, times } = value
  const areTexts = [id, nodeId, text].every((entry) => typeof entry === 'string')
  return areTexts && typeof times === 'number' && isPlainObject(message)
}

/** Another process never sees half a file. Only this user can read it: it holds texts. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}
