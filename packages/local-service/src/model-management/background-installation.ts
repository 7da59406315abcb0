import type { LocalModel } from '@parlando/core/wire'
import { type CatalogueEntry, isHibari } from '../models/catalogue/catalogue.ts'
import { ModelError } from '../models/catalogue/model-error.ts'
import { installAddon } from '../models/install/install-addon.ts'
import { installModel } from '../models/install/install-model.ts'
import { installFolderOf, listInstalled } from '../models/install/install-record.ts'
import { findSherpa } from '../models/sherpa/find-sherpa.ts'
import { loaderFor } from './load-model.ts'

export interface InstallationOptions {
  /** Models are installed into its subfolder `models`, and a missing sherpa-onnx-node into the folder itself. */
  dataFolder: string
  /** Further folder in which sherpa-onnx-node may be installed. */
  enginesFolder?: string
  /** A server or a folder, instead of the addresses in the catalogue. */
  mirror?: string
  /** Called after a model was installed or removed. */
  onChange(): Promise<void>
}

/** The installation of a model in the background. */
export interface Installation {
  readonly entry: CatalogueEntry
  readonly isRunning: boolean
  /** It may still be running. */
  readonly isCancelled: boolean
  /** Absent after a success. */
  readonly state: LocalModel['installation']
  /** Ends it as soon as possible: a model that is being loaded is loaded first. */
  cancel(): void
  /** Resolves when it has ended, in any way. */
  readonly done: Promise<void>
}

/**
 * Installs a model, and first sherpa-onnx-node if the model needs it and it is missing.
 * @param earlier resolves when an earlier installation, which may have been cancelled too late, has ended. It must not reject.
 */
export function startInstallation(
  entry: CatalogueEntry,
  { dataFolder, enginesFolder, mirror, onChange }: InstallationOptions,
  earlier?: Promise<void>,
): Installation {
  const stopping = new AbortController()
  const { signal } = stopping
  let state: Installation['state'] = { state: 'preparing' }
  let isRunning = true

  const folder = installFolderOf(dataFolder)
  const isInstalled = async () =>
    (await listInstalled(folder)).some(({ name }) => name === entry.name)
  const install = async () => {
    const findAddon = () => findSherpa([enginesFolder, dataFolder]).packagePath
    if (!isHibari(entry) && !findAddon()) await installAddon(dataFolder, { signal })
    await installModel(entry, {
      folder,
      mirror,
      signal,
      onEvent({ type, ...progress }) {
        // The next address is tried.
        if (type !== 'retrying') state = { state: type, ...progress }
      },
      ...loaderFor(entry, findAddon()),
    })
  }
  const run = async () => {
    await earlier
    signal.throwIfAborted()
    if (!(await isInstalled())) await install()
    await onChange()
  }
  const done = run()
    .then(() => {
      state = undefined
    })
    .catch((error: Error) => {
      const code = error instanceof ModelError ? error.code : 'FAILED'
      state = signal.aborted ? undefined : { state: 'failed', code, message: error.message }
    })
    .finally(() => {
      isRunning = false
    })

  return {
    entry,
    get isRunning() {
      return isRunning
    },
    get isCancelled() {
      return signal.aborted
    },
    get state() {
      return state
    },
    cancel: () => stopping.abort(new Error('The installation was cancelled')),
    done,
  }
}
