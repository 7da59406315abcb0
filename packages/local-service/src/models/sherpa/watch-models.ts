import { readdir } from 'node:fs/promises'
import { createMutex } from '../../mutex.ts'

export interface ModelWatchOptions {
  /** The folder into which models are installed. It need not exist. */
  folder: string
  /** Called when a model was added or removed, by this process or by another one. */
  onChange(): Promise<void>
  /** Default: 5 s. A change of the folder causes no event that works on every file system. */
  intervalMs?: number
}

export interface ModelWatch {
  /** Compares at once. Rejects if `onChange` does. */
  check(): Promise<void>
  close(): void
}

/** Watches which models a folder contains. Installations that are not complete have hidden names. */
export async function watchModels(options: ModelWatchOptions): Promise<ModelWatch> {
  const { folder, onChange, intervalMs = 5_000 } = options
  const exclusive = createMutex()
  let known = await modelsIn(folder)
  const check = () =>
    exclusive(async () => {
      const found = await modelsIn(folder)
      if (found === known) return
      known = found
      await onChange()
    })
  // A failure of `onChange` is not repeated: the models are known.
  const timer = setInterval(() => void check().catch(() => {}), intervalMs).unref()
  return { check, close: () => clearInterval(timer) }
}

async function modelsIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .join('/')
}
