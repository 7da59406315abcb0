import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutex } from '../concurrency/slots.ts'
import { changedAtMs } from '../models/sherpa/model-folders.ts'

export interface ModelWatchOptions {
  /** The folder into which models are installed. It need not exist. */
  folder: string
  /** Called when a model was added, removed or replaced, by this process or by another one. Called again later if it rejects. */
  onChange(): Promise<void>
  /** Receives why `onChange` has rejected, once for each reason. */
  warn(message: string): void
  /** Default: 5 s. A change of the folder causes no event that works on every file system. */
  intervalMs?: number
}

export interface ModelWatch {
  /** Compares at once. Rejects if `onChange` does. */
  check(): Promise<void>
  /** Resolves when the running comparison has ended. */
  close(): Promise<void>
}

/** Watches which models a folder contains. Installations that are not complete have hidden names. */
export async function watchModels(options: ModelWatchOptions): Promise<ModelWatch> {
  const { folder, onChange, warn, intervalMs = 5_000 } = options
  const exclusive = createMutex()
  let known = await modelsIn(folder)
  const check = () =>
    exclusive(async () => {
      const found = await modelsIn(folder)
      if (found === known) return
      await onChange()
      known = found
    })
  let isChecking = false
  let problem: string | undefined
  const checkAgain = async () => {
    // Models load for longer than the interval.
    if (isChecking) return
    isChecking = true
    const failure = await check().then(
      () => undefined,
      (error: Error) => error.message,
    )
    isChecking = false
    if (failure !== undefined && failure !== problem) {
      warn(`The changed models are not all offered yet, and the service tries again: ${failure}`)
    }
    problem = failure
  }
  const timer = setInterval(() => void checkAgain(), intervalMs).unref()
  return {
    check,
    async close() {
      clearInterval(timer)
      await exclusive(async () => {})
    },
  }
}

/** The names of the models, with what tells a model from one that replaces it. */
async function modelsIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const models = names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map(async (name) => `${name} ${await changedAtMs(join(folder, name))}`)
  return (await Promise.all(models)).join('/')
}
