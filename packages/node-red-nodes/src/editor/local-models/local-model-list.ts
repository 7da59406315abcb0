import type { LocalModel } from '@parlando/core/wire'
import { askAdmin } from '../ask-admin.ts'
import { RED, text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'

/** The models that a service can install. */
export interface InstallableModels {
  /** Absent if the service does not install models. */
  models?: LocalModel[]
  /** Why models cannot run on the machine. */
  problem?: string
  needsAddon?: boolean
}

/** @throws an Error with a message for the user of the form. */
export function listLocalModels(service: ServiceSettings): Promise<InstallableModels> {
  return askAdmin<InstallableModels>('local-models', { service })
}

export type ModelChange = 'install' | 'cancel' | 'remove'

/** @throws as `listLocalModels`. */
export async function changeLocalModel(
  service: ServiceSettings,
  change: ModelChange,
  { name, licence }: LocalModel,
): Promise<void> {
  await askAdmin(`local-models/${change}`, { service, name, acceptedLicence: licence.name })
}

export function isInstalling({ installation }: LocalModel): boolean {
  return installation != null && installation.state !== 'failed'
}

/** What an installation is doing, in one line. */
export function progressText({ installation }: LocalModel): string {
  const { state, receivedBytes, totalBytes } = installation ?? {}
  const values = { received: sizeText(receivedBytes ?? 0), total: sizeText(totalBytes ?? 0) }
  return text(`models.state.${state}`, values)
}

/** The progress as a screen reader reads it out: in steps of 10 %. */
export function announcementOf(model: LocalModel): string {
  const { receivedBytes, totalBytes } = model.installation ?? {}
  const percent = totalBytes ? Math.floor((10 * (receivedBytes ?? 0)) / totalBytes) * 10 : 0
  return `${model.displayName}: ${totalBytes ? `${percent} %` : progressText(model)}`
}

const failuresWithAdvice = [
  'DOWNLOAD_FAILED',
  'WRONG_CHECKSUM',
  'NO_SPACE',
  'BUSY',
  'LOAD_FAILED',
  'ADDON_FAILED',
]

/** That an installation failed, and what to try. */
export function adviceFor({ installation }: LocalModel): string {
  const known = failuresWithAdvice.find((each) => each === installation?.code) ?? 'other'
  return text(`models.failed.${known}`)
}

/** `67 MB`, in the language of the editor. */
export function sizeText(bytes: number): string {
  const [unit, size] =
    bytes < 1e6 ? ['kilobyte', 1e3] : bytes < 1e9 ? ['megabyte', 1e6] : ['gigabyte', 1e9]
  const maximumFractionDigits = bytes < 1e9 ? 0 : 1
  const options = { style: 'unit', unit, maximumFractionDigits } as Intl.NumberFormatOptions
  return new Intl.NumberFormat(RED.i18n.lang(), options).format(bytes / Number(size))
}
