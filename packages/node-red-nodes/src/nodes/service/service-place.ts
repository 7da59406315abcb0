import { join } from 'node:path'
import type { NodeAPI } from 'node-red'
import type { BudgetFile } from '../../budgets/budget-file.ts'
import type { ProblemReport, ServiceNode } from '../../runtime/speech-service.ts'
import { fileNameOf } from '../../saved/saved-file.ts'
import type { RecentSpeech } from '../../studio-server/recent-speech.ts'
import type { DeviceService, Lease } from './device-service.ts'
import type { HomeAssistantOffer } from './home-assistant-offer.ts'
import { leaseHosted } from './hosted-lease.ts'

/** What all services of this Node-RED share. */
export interface SharedParts {
  device: DeviceService
  /** How the service on this device is offered to Home Assistant. */
  offer: HomeAssistantOffer
  budgetFile: BudgetFile
  /** What they have spoken lately. */
  recentSpeech: RecentSpeech
  /** Has a folder for each service that keeps sound on the disk. */
  soundsFolder: string
}

/** The settings of the form that say where a service is. */
export interface PlaceSettings {
  location: 'device' | 'hosted'
  name?: string
  baseUrl: string
}

/** Where a service is, and what its parts need of its place. */
export interface ServicePlace extends Pick<SharedParts, 'budgetFile' | 'recentSpeech'> {
  isOnDevice: boolean
  /** The address of a hosted service. */
  baseUrl?: string
  acquire(onExit: (reason: string) => void): Lease
  report: ProblemReport
  /** The folder of the sound that is kept on the disk. */
  soundFolder: string
  /** Empty: this device without a configuration node. */
  serviceId: string
  /** The name in the studio; empty: this device. */
  name: string
  /** The password of the Redis that keeps sound and counts the budget. */
  redisPassword?: string | undefined
}

/** The service on this device, for nodes without a configuration node. */
export function placeOfDevice(
  { device, budgetFile, recentSpeech, soundsFolder }: SharedParts,
  report: ProblemReport,
): ServicePlace {
  return {
    isOnDevice: true,
    acquire: device.acquire,
    report,
    soundFolder: join(soundsFolder, 'device'),
    serviceId: '',
    name: '',
    budgetFile,
    recentSpeech,
  }
}

/** The service of a configuration node. */
export function placeOf(
  RED: NodeAPI,
  node: ServiceNode,
  { location, name, baseUrl }: PlaceSettings,
  shared: SharedParts,
): ServicePlace {
  const isOnDevice = location !== 'hosted'
  const { apiKey = '', redisPassword } = node.credentials ?? {}
  return {
    ...placeOfDevice(shared, node),
    isOnDevice,
    ...(!isOnDevice && { acquire: () => leaseHosted(RED, { baseUrl, apiKey }) }),
    baseUrl,
    soundFolder: join(shared.soundsFolder, fileNameOf(node.id)),
    serviceId: node.id,
    name: name || baseUrl || '',
    redisPassword,
  }
}
