import type { SpeechStore } from '@parlando/store'
import { readSettings } from '../runtime/settings.ts'

/** Where sound is kept. Empty: in memory, of another machine only announcements. */
export type KeepKind = '' | 'off' | 'memory' | 'disk' | 'redis'

/** The settings of a form. */
export interface KeepSettings {
  keepSound?: KeepKind
  /** Default: 32 in memory, 256 on disk. */
  keepMegabytes?: string | number
  /** How long a sound is kept that nobody uses. Default: 30. */
  keepDays?: string | number
  /** The address of Redis. */
  redisUrl?: string
  /** Whether the sound of cloned voices is kept on disk and in Redis, too. */
  keepClones?: boolean
}

export interface StorePlace {
  /** The folder of the files. */
  folder: string
  /** The password of Redis. */
  password?: string | undefined
  /** Called with the reason if sound cannot be kept. */
  onProblem(reason: string): void
}

const defaultMegabytes = { memory: 32, disk: 256 }
const defaultDays = 30
const dayMs = 24 * 60 * 60_000

const settingTable = {
  keepMegabytes: { form: 'keepMegabytes', isNumber: true },
  keepDays: { form: 'keepDays', isNumber: true },
} as const

/** Opens the place where sound is kept. @returns nothing if there is none, or it cannot be opened, which it reports. */
export async function openStore(
  settings: KeepSettings,
  { folder, password, onProblem }: StorePlace,
): Promise<SpeechStore | undefined> {
  if (settings.keepSound === 'off') return undefined
  try {
    // Imported on demand, like the client of the service.
    const { createMemoryStore, openDiskStore, openRedisStore } = await import('@parlando/store')
    const { keepMegabytes, keepDays } = readSettings({}, settings, settingTable)
    const maxUnusedMs = (keepDays ?? defaultDays) * dayMs
    const bytesOr = (megabytes: number) => (keepMegabytes ?? megabytes) * 1_000_000
    if (settings.keepSound === 'redis') {
      return await openRedisStore({
        url: settings.redisUrl ?? '',
        ...(password && { password }),
        maxUnusedMs,
        onProblem,
      })
    }
    if (settings.keepSound === 'disk') {
      const maxBytes = bytesOr(defaultMegabytes.disk)
      return await openDiskStore({ folder, maxBytes, maxUnusedMs, onProblem })
    }
    return createMemoryStore({ maxBytes: bytesOr(defaultMegabytes.memory), maxUnusedMs })
  } catch (error) {
    onProblem((error as Error).message)
    return undefined
  }
}
