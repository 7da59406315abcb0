import { runAll } from '../concurrency/close-stack.ts'
import {
  type EngineStartOptions,
  type RunningEngine,
  refreshEngines,
} from '../engines/engine-registry.ts'
import type { CatalogueEntry } from '../models/catalogue/catalogue.ts'
import { installFolderOf } from '../models/install/install-record.ts'
import type { Recogniser } from '../recognisers/recogniser.ts'
import { refreshRecognisers } from '../recognisers/recogniser-registry.ts'
import { isOnlyLocal } from '../server/open-port.ts'
import type { WakeWordDetector } from '../wake-words/wake-word-detector.ts'
import { refreshWakeWordDetectors } from '../wake-words/wake-word-registry.ts'
import type { ModelManager } from './model-manager.ts'
import { watchModels } from './watch-models.ts'

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
  /** Opens what the endpoints need that install and remove models. Absent if this service does not let its callers do that. */
  openModelManager?(): Promise<ModelManager>
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
    onChange: () =>
      runAll([
        () => refreshEngines(engines, options),
        () => refreshRecognisers(recognisers, { ...options }),
        () => refreshWakeWordDetectors(wakeWords, { ...options }),
      ]),
    warn: options.warn,
  })
  let opening: Promise<ModelManager> | undefined
  const open = async () => {
    // Few services ever install a model.
    const { createModelManager } = await import('./model-manager.ts')
    const folders = { dataFolder, enginesFolder, mirror: voicesMirror }
    return createModelManager({ ...folders, offered, onChange: watch.check })
  }
  return {
    ...(isPrivate(options) && {
      openModelManager() {
        opening ??= open().catch((error) => {
          // The next caller tries again.
          opening = undefined
          throw error
        })
        return opening
      },
    }),
    async close() {
      // Its last installation may report a change.
      try {
        await (await opening)?.close()
      } finally {
        await watch.close()
      }
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
