import type { LocalModel } from '@parlando/core/wire'
import { ServiceError } from '../errors/service-error.ts'
import {
  type CatalogueEntry,
  catalogue,
  downloadBytes,
  isConfirmed,
  isHibari,
} from '../models/catalogue/catalogue.ts'
import {
  describeMachine,
  fitOf,
  type Machine,
  memoryEstimate,
} from '../models/catalogue/machine-fit.ts'
import { ModelError } from '../models/catalogue/model-error.ts'
import { installFolderOf, listInstalled } from '../models/install/install-record.ts'
import { removeModel } from '../models/install/remove-model.ts'
import { findSherpa } from '../models/sherpa/find-sherpa.ts'
import {
  type Installation,
  type InstallationOptions,
  startInstallation,
} from './background-installation.ts'

export interface ModelManagerOptions extends InstallationOptions {
  /** The models that can be installed. Default: the catalogue of this package. */
  offered?: readonly CatalogueEntry[]
}

/** Lists, installs and removes the models that this machine can have, for the endpoints. */
export interface ModelManager {
  list(): Promise<{ models: LocalModel[]; problem?: string; needsAddon: boolean }>
  /**
   * Begins an installation; one at a time. Nothing happens if the model is installed or being installed. One that was cancelled may
   * still be loading its model: then this one begins when that has ended.
   * @param acceptedLicence the licence of the model, whose name the user has read.
   * @throws {ServiceError} if the model is unknown, its licence is another one, or the installation cannot begin.
   */
  install(name: string, acceptedLicence: string): Promise<LocalModel>
  /** Cancels the installation of a model, which ends soon after, or forgets why it failed. @throws {ServiceError} if the model is unknown. */
  cancel(name: string): Promise<LocalModel>
  /** @throws {ServiceError} if the model is unknown, or if its files cannot be deleted. */
  remove(name: string): Promise<LocalModel>
  /** Cancels an installation. */
  close(): Promise<void>
}

export function createModelManager(options: ModelManagerOptions): ModelManager {
  const { dataFolder, enginesFolder, offered = catalogue, onChange } = options
  const folder = installFolderOf(dataFolder)
  // Both take milliseconds, and forms ask for the list every second.
  const describingMachine = describeMachine()
  let hasAddon = false
  /** The running installation, or the last one if it failed. */
  let current: Installation | undefined

  const list = async () => {
    const [machine, installed] = await Promise.all([describingMachine, listInstalled(folder)])
    const names = installed.map(({ name }) => name)
    const models = offered.map((entry) => {
      const state = current?.entry === entry ? current.state : undefined
      return toResource(entry, machine, {
        // At the end of its installation, its voices are not offered yet.
        isInstalled: names.includes(entry.name) && !(state && current?.isRunning),
        ...(state && { installation: state }),
      })
    })
    const problem = machine.unsupported
    hasAddon ||= findSherpa([enginesFolder, dataFolder]).packagePath !== undefined
    return { models, needsAddon: !problem && !hasAddon, ...(problem && { problem }) }
  }
  const describe = async (name: string): Promise<LocalModel> =>
    (await list()).models.find((model) => model.name === name)!

  return {
    list,
    async install(name, acceptedLicence) {
      const entry = requireEntry(offered, name)
      requireLicence(entry, acceptedLicence)
      const { models, problem } = await list()
      if (problem && !isHibari(entry)) throw new ServiceError('FAILED_PRECONDITION', problem)
      const running = current?.isRunning && !current.isCancelled ? current : undefined
      if (running && running.entry !== entry) throw busyError(running)
      const isInstalled = models.some((model) => model.name === name && model.isInstalled)
      if (!isInstalled && !running) current = startInstallation(entry, options, current?.done)
      return describe(name)
    },
    async cancel(name) {
      const entry = requireEntry(offered, name)
      if (current?.entry === entry) {
        current.cancel()
        if (!current.isRunning) current = undefined
      }
      return describe(name)
    },
    async remove(name) {
      requireEntry(offered, name)
      await removeModel(folder, name).catch(rejectUnlessMissing)
      await onChange()
      return describe(name)
    },
    async close() {
      current?.cancel()
      await current?.done
    },
  }
}

/** @throws {ServiceError} if the name is unknown. */
function requireEntry(offered: readonly CatalogueEntry[], name: string): CatalogueEntry {
  const entry = offered.find((each) => each.name === name)
  if (entry) return entry
  const message = `Unknown model: ${name}. GET /local/v1/models lists all models`
  throw new ServiceError('NOT_FOUND', message)
}

function toResource(
  entry: CatalogueEntry,
  machine: Machine,
  state: Pick<LocalModel, 'isInstalled' | 'installation'>,
): LocalModel {
  const { name, kind, displayName, summary, languages, licence } = entry
  return {
    name,
    kind,
    displayName,
    summary,
    languages: [...languages],
    licence: { ...licence },
    downloadBytes: downloadBytes(entry),
    memoryBytes: memoryEstimate(entry),
    isConfirmed: isConfirmed(entry),
    fit: fitOf(entry, machine),
    ...state,
  }
}

function requireLicence({ name, licence }: CatalogueEntry, accepted: string): void {
  if (accepted === licence.name) return
  throw new ServiceError(
    'INVALID_ARGUMENT',
    `acceptedLicence: must be ${licence.name}, the licence of ${name} (${licence.url}), once the user has accepted it`,
  )
}

function busyError({ entry }: Installation): ServiceError {
  return new ServiceError(
    'FAILED_PRECONDITION',
    `${entry.name} is being installed. Wait until it is complete, or cancel it`,
  )
}

/** Removing a model twice is allowed. */
function rejectUnlessMissing(error: unknown): void {
  if (!(error instanceof ModelError)) throw error
  if (error.code === 'NOT_INSTALLED') return
  throw new ServiceError('FAILED_PRECONDITION', error.message)
}
