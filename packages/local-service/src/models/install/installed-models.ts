import { type RunningEngine, refreshEngines, type StartOptions } from '../../engines/registry.ts'
import type { Recogniser } from '../../recognisers/recogniser.ts'
import { refreshRecognisers } from '../../recognisers/registry.ts'
import { isLoopback } from '../../server/loopback.ts'
import type { CatalogueEntry } from '../catalogue/entry.ts'
import { installFolderOf } from '../sherpa/find-folders.ts'
import { watchModels } from '../sherpa/watch-models.ts'
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
