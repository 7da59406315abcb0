import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutex } from '../../concurrency/slots.ts'
import {
  type EngineStartOptions,
  type RunningEngine,
  refreshEngines,
} from '../../engines/engine-registry.ts'
import type { Recogniser } from '../../recognisers/recogniser.ts'
import { refreshRecognisers } from '../../recognisers/recogniser-registry.ts'
import { isOnlyLocal } from '../../server/open-port.ts'
import type { WakeWordDetector } from '../../wake-words/wake-word-detector.ts'
import { refreshWakeWordDetectors } from '../../wake-words/wake-word-registry.ts'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import { installFolderOf } from '../sherpa/find-models-folders.ts'
import { changedAtMs } from '../sherpa/model-folders.ts'
import type { LocalModels } from './local-models.ts'

export interface InstalledModelsOptions extends EngineStartOptions {
  /** The address on which the service listens. */
  host: string
  allowOrigins: readonly string[]
  voicesMirror?: string
  engines: Map<string, RunningEngine>
  recognisers: Map<string, Recogniser>
  wakeWords: Map<string, WakeWordDetector>
  /** The models that can be installed. Default: the catalogue of this package. */
  offered?: readonly CatalogueEntry[]
}

/** The models in the data folder. The engines, recognisers and detectors offer what is installed there at the moment. */
export interface InstalledModels {
  /** For the endpoints that install and remove models. Absent if this service does not let its callers do that. */
  openLocalModels?(): Promise<LocalModels>
  close(): Promise<void>
}

/** @returns `undefined` without a data folder. */
export async function followInstalledModels(
  options: InstalledModelsOptions,
): Promise<InstalledModels | undefined> {
  const { dataFolder, enginesFolder, voicesMirror, engines, recognisers, wakeWords, offered } =
    options
  if (!dataFolder) return undefined
  const watch = await watchModels({
    folder: installFolderOf(dataFolder),
    async onChange() {
      try {
        await refreshEngines(engines, options)
      } finally {
        await refreshRecognisers(recognisers, { ...options }).finally(() =>
          refreshWakeWordDetectors(wakeWords, { ...options }),
        )
      }
    },
    warn: options.warn,
  })
  let opening: Promise<LocalModels> | undefined
  const open = async () => {
    // Few services ever install a model.
    const { createLocalModels } = await import('./local-models.ts')
    const folders = { dataFolder, enginesFolder, mirror: voicesMirror }
    return createLocalModels({ ...folders, offered, onChange: watch.check })
  }
  return {
    ...(isPrivate(options) && {
      openLocalModels() {
        opening ??= open()
        return opening
      },
    }),
    async close() {
      // Its last installation may report a change.
      await (await opening)?.close()
      await watch.close()
    },
  }
}

/**
 * Whether only programs of this machine can send requests. Otherwise anybody with the key could fill the disk, use the internet
 * connection and delete voices; the command does all that for the owner of the machine.
 */
function isPrivate({ host, allowOrigins }: InstalledModelsOptions): boolean {
  return isOnlyLocal(host) && allowOrigins.length === 0
}

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
