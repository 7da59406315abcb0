import { readdir } from 'node:fs/promises'
import { createMutex } from '../../concurrency.ts'
import { type RunningEngine, refreshEngines, type StartOptions } from '../../engines/registry.ts'
import type { Recogniser } from '../../recognisers/recogniser.ts'
import { refreshRecognisers } from '../../recognisers/registry.ts'
import { isLoopback } from '../../server/listen.ts'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import { installFolderOf } from '../sherpa/model-folders.ts'
import type { LocalModels } from './local-models.ts'

export interface InstalledModelsOptions extends StartOptions {
  /** The address on which the service listens. */
  host: string
  allowOrigins: readonly string[]
  voicesMirror?: string
  engines: Map<string, RunningEngine>
  recognisers: Map<string, Recogniser>
  /** The models that can be installed. Default: the catalogue of this package. */
  offered?: readonly CatalogueEntry[]
}

/** The models in the data folder. The engines and recognisers offer what is installed there at the moment. */
export interface InstalledModels {
  /** For the endpoints that install and remove models. Absent if this service does not let its callers do that. */
  openLocalModels?(): Promise<LocalModels>
  close(): Promise<void>
}

/** @returns `undefined` without a data folder. */
export async function followInstalledModels(
  options: InstalledModelsOptions,
): Promise<InstalledModels | undefined> {
  const { dataFolder, enginesFolder, voicesMirror, engines, recognisers, offered } = options
  if (!dataFolder) return undefined
  const watch = await watchModels({
    folder: installFolderOf(dataFolder),
    async onChange() {
      await refreshEngines(engines, options)
      await refreshRecognisers(recognisers, { ...options })
    },
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
      watch.close()
      await (await opening)?.close()
    },
  }
}

/**
 * Whether only programs of this machine can send requests. Otherwise anybody with the key could fill the disk, use the internet
 * connection and delete voices; the command does all that for the owner of the machine.
 */
function isPrivate({ host, allowOrigins }: InstalledModelsOptions): boolean {
  return isLoopback(host) && allowOrigins.length === 0
}

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
