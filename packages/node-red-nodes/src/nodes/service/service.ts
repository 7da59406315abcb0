import { totalmem } from 'node:os'
import type { NodeAPI, NodeDef } from 'node-red'
import {
  type OpenService,
  type ProblemReport,
  provideThisDevice,
  type ServiceDefaults,
  type ServiceNode,
} from '../../runtime/find-service.ts'
import { handleClose } from '../../runtime/input.ts'
import { readSettings } from '../../runtime/settings.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { defaultEncoding, defaultModelId } from '../../shared/saved-settings.ts'
import { addAdminRoutes } from './admin-routes.ts'
import { createDeviceService, type Lease, startOnDevice } from './device-service.ts'
import { HomeAssistantOffer } from './home-assistant-offer.ts'
import { KnownVoices } from './known-voices.ts'
import { type LimitSettings, leaseHosted, ServiceConnection } from './service-connection.ts'

interface ServiceDef extends NodeDef, ServiceSettings {
  location: 'device' | 'hosted'
  baseUrl: string
}

/** The settings of the form. Voice, model and encoding apply to nodes with empty fields. */
interface ServiceSettings extends LimitSettings {
  voice?: string
  model?: string
  encoding?: string
  whenUnused?: WhenUnused
  /** Whether Home Assistant may use the service on this device. */
  homeAssistant?: boolean
}

/** What a service on this device does when nobody uses it. Empty: it stops on a small device and keeps running on others. */
type WhenUnused = '' | 'stop' | 'keep'

function register(RED: NodeAPI): void {
  const offer = new HomeAssistantOffer()
  const onProblem = (reason: string) => RED.log.warn(RED._('service.error.not-offered', { reason }))
  const start = startOnDevice(RED.settings.userDir ?? '.', { offer, onProblem })
  const device = createDeviceService({ start })

  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    const isOnDevice = config.location !== 'hosted'
    const apiKey = this.credentials?.apiKey ?? ''
    const acquire = isOnDevice
      ? device.acquire
      : () => leaseHosted(RED, { baseUrl: config.baseUrl, apiKey })
    const isOffered = isOnDevice && config.homeAssistant === true
    // Home Assistant may ask at any time.
    const settings = isOffered ? { ...config, whenUnused: 'keep' as const } : config
    const place = { isOnDevice, acquire, report: this }
    const { close, ...service } = createService(RED, settings, place)
    Object.assign(this, service)
    offer.set(this.id, isOffered)
    if (isOffered) service.startAhead()
    handleClose(this, () => {
      offer.set(this.id, false)
      return close()
    })
  }
  RED.nodes.registerType<ServiceNode, ServiceDef, object, { apiKey?: string }>(
    'parlando-service',
    Service,
    {
      credentials: { apiKey: { type: 'password' } },
      settings: { parlandoServiceLanguage: { value: nodeRedLanguage(RED), exportable: true } },
    },
  )
  const open = (settings: ServiceSettings) => (report: ProblemReport) =>
    createService(RED, settings, { isOnDevice: true, acquire: device.acquire, report })
  provideThisDevice(open({}), open({ whenUnused: 'stop' }))
  addAdminRoutes(RED, device)
}

interface ServicePlace {
  isOnDevice: boolean
  acquire(onExit: (reason: string) => void): Lease
  report: ProblemReport
}

const settingTable = {
  voiceId: { form: 'voice' },
  modelId: { form: 'model', fallback: defaultModelId },
  audioEncoding: { form: 'encoding', fallback: defaultEncoding },
} as const

interface Defaults extends ServiceDefaults {
  /** Absent: the first voice that the service lists for the language. */
  voiceId?: string
}

/** A service that connects when it is first used. */
function createService(
  RED: NodeAPI,
  settings: ServiceSettings,
  { isOnDevice, acquire, report }: ServicePlace,
): OpenService {
  const form = readSettings({}, settings, settingTable) as Defaults
  const { voiceId: chosenVoiceId, ...defaults } = form
  const connection = new ServiceConnection({
    acquire,
    limits: settings,
    ...(isOnDevice && stopsWhenUnused(settings.whenUnused) && { unusedLimitMs }),
    onExit: (reason) => report.warn(RED._('service.error.ended', { reason })),
    onEnd: () => voices.forgetList(),
  })
  const connect = (signal: AbortSignal) => connection.client(signal)
  const voices = new KnownVoices(RED, connect)
  return {
    defaults,
    isOnDevice,
    connect,
    use: (signal, work) => connection.use(work, signal),
    defaultVoiceId: async (call) => chosenVoiceId ?? (await voices.defaultFor(call)).voiceId,
    languageOf: (voiceId, call) => voices.languageOf(voiceId, call),
    noteFailure: (error) => voices.noteFailure(error),
    startAhead() {
      if (isOnDevice) connection.open().catch((error: Error) => report.error(error.message))
    },
    close: () => connection.close(),
  }
}

// Includes boards that are sold with 2 GB, because they report a little less.
const isSmallDevice = totalmem() < 2 * 1024 ** 3
const unusedLimitMs = 10 * 60_000

function stopsWhenUnused(whenUnused: WhenUnused = ''): boolean {
  return whenUnused === 'stop' || (whenUnused !== 'keep' && isSmallDevice)
}

export = register
