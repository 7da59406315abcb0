import type { NodeAPI, NodeDef } from 'node-red'
import { provideThisDevice, type ServiceNode } from '../../shared/speech-service.ts'
import { addAdminRoutes } from './admin.ts'
import { connectDevice, connectHosted, type LimitSettings } from './connection.ts'
import { createDeviceService, startOnDevice } from './device-service.ts'
import { createSpeechService, type DefaultSettings } from './speech-service.ts'
import { createThisDevice } from './this-device.ts'

interface ServiceDef extends NodeDef, LimitSettings, DefaultSettings {
  location: 'device' | 'hosted'
  baseUrl: string
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
      open: (onExit) => {
        if (isOnDevice) return connectDevice(device, config, onExit)
        const apiKey = this.credentials?.apiKey ?? ''
        return connectHosted(RED, { baseUrl: config.baseUrl, apiKey }, config)
      },
      report: this,
    })
    Object.assign(this, service)
    this.on('close', async (done: () => void) => {
      await close()
      done()
    })
  }
  RED.nodes.registerType<ServiceNode, ServiceDef, object, { apiKey?: string }>(
    'parlando-service',
    Service,
    {
      credentials: { apiKey: { type: 'password' } },
    },
  )
  provideThisDevice(
    createThisDevice((report) =>
      createSpeechService(RED, {
        settings: {},
        isOnDevice: true,
        open: (onExit) => connectDevice(device, {}, onExit),
        report,
      }),
    ),
  )
  addAdminRoutes(RED, device)
}

export = register
