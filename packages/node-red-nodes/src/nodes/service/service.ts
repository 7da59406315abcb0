import { totalmem } from 'node:os'
import type { NodeAPI, NodeDef } from 'node-red'
import { provideThisDevice, type ServiceNode } from '../../runtime/find-service.ts'
import { handleClose } from '../../runtime/input.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { addAdminRoutes } from './admin-routes.ts'
import { createDeviceService, startOnDevice } from './device-service.ts'
import { connectDevice, connectHosted, type LimitSettings } from './service-connection.ts'
import { createSpeechService, createThisDevice, type DefaultSettings } from './speech-service.ts'

/** What a service on this device does when nobody uses it. Empty: it stops on a small device and keeps running on others. */
type WhenUnused = '' | 'stop' | 'keep'

// Includes boards that are sold with 2 GB, because they report a little less.
const isSmallDevice = totalmem() < 2 * 1024 ** 3

function stopsWhenUnused(whenUnused: WhenUnused = ''): boolean {
  return whenUnused === 'stop' || (whenUnused !== 'keep' && isSmallDevice)
}

interface ServiceDef extends NodeDef, LimitSettings, DefaultSettings {
  location: 'device' | 'hosted'
  baseUrl: string
  whenUnused?: WhenUnused
}

function register(RED: NodeAPI): void {
  const userFolder = RED.settings.userDir ?? '.'
  const device = createDeviceService({ start: startOnDevice(userFolder) })

  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    const isOnDevice = config.location !== 'hosted'
    const { close, ...service } = createSpeechService(RED, {
      settings: config,
      isOnDevice,
      stopsWhenUnused: isOnDevice && stopsWhenUnused(config.whenUnused),
      open: (onExit) => {
        if (isOnDevice) return connectDevice(device, config, onExit)
        const apiKey = this.credentials?.apiKey ?? ''
        return connectHosted(RED, { baseUrl: config.baseUrl, apiKey }, config)
      },
      report: this,
    })
    Object.assign(this, service)
    handleClose(this, close)
  }
  RED.nodes.registerType<ServiceNode, ServiceDef, object, { apiKey?: string }>(
    'parlando-service',
    Service,
    {
      credentials: { apiKey: { type: 'password' } },
      settings: { parlandoServiceLanguage: { value: nodeRedLanguage(RED), exportable: true } },
    },
  )
  provideThisDevice(
    createThisDevice((report) =>
      createSpeechService(RED, {
        settings: {},
        isOnDevice: true,
        stopsWhenUnused: stopsWhenUnused(),
        open: (onExit) => connectDevice(device, {}, onExit),
        report,
      }),
    ),
  )
  addAdminRoutes(RED, device)
}

export = register
