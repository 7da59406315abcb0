import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPlainObject } from '../../runtime/settings.ts'
import { type AnnounceMessage, readTopic } from './read-announcement.ts'

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

/** The announcer has 50 at most, but a flow that is switched off keeps its own. */
const maxAlarms = 200

/** @param onError Called when an alarm cannot be saved; it is announced nevertheless. */
export function createAlarmStore(path: string, onError: (error: Error) => void) {
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
    /** The alarms of a node that were saved before. */
    of: (nodeId: string) => [...load().values()].filter((alarm) => alarm.nodeId === nodeId),
    /** Saves an alarm, or what has changed. */
    save(alarm: SavedAlarm) {
      const saved = load()
      saved.set(alarm.id, alarm)
      const [oldest] = saved.keys()
      if (saved.size > maxAlarms && oldest) {
        saved.delete(oldest)
        onError(new Error(`only ${maxAlarms} are saved`))
      }
      change()
    },
    remove(id: string) {
      if (load().delete(id)) change()
    },
    /** Resolves when the file has all changes. */
    async flush() {
      await writing
    },
  }
}

/** Keeps alarms over a restart of Node-RED, in a small file. */
export type AlarmStore = ReturnType<typeof createAlarmStore>

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

const maxCharacters = 64 * 1024
/** Of a byte of a Buffer as JSON, with its comma. */
const charactersPerByte = 4

/** The part of a message that can be saved; only the text and the topic of one that is too large. */
export function savableMessage(message: AnnounceMessage, text: string): Record<string, unknown> {
  try {
    const { req: _request, res: _response, ...rest } = message as Record<string, unknown>
    // A large message as JSON would hold up Node-RED.
    if (isSmall(rest)) return JSON.parse(JSON.stringify(rest), reviveBuffer)
  } catch {
    // A getter that throws, or a value that JSON does not know.
  }
  return { topic: readTopic(message), payload: text.slice(0, maxCharacters) }
}

/** For `JSON.parse`: makes Buffers of what `JSON.stringify` makes of them. */
function reviveBuffer(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : value
}

/** Whether a value has less than the limit as JSON, about. A circular reference has not. */
function isSmall(value: unknown): boolean {
  let rest = maxCharacters
  const pending = [value]
  while (pending.length > 0 && rest > 0) {
    const next = pending.pop()
    rest -= 1
    if (typeof next === 'string') rest -= next.length
    else if (ArrayBuffer.isView(next)) rest -= charactersPerByte * next.byteLength
    else if (Array.isArray(next) && next.length > rest) rest = 0
    else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        rest -= key.length
        pending.push(member)
      }
    }
  }
  return rest > 0
}
