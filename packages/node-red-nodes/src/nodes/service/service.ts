import { join } from 'node:path'
import { type Client, ParlandoError } from '@parlando/core'
import type { NodeAPI, NodeDef } from 'node-red'
import { defaultEncoding, defaultModelId } from '../../shared/defaults.ts'
import { NodeInputError } from '../../shared/failure.ts'
import type { ServiceDefaults, ServiceNode } from '../../shared/service-node.ts'
import { readSettings } from '../../shared/settings.ts'
import { unlessAborted } from '../../shared/unless-aborted.ts'
import { addAdminRoutes } from './admin.ts'
import { type Connection, connectDevice, connectHosted, type LimitSettings } from './connection.ts'
import { createDeviceService, startOnDevice } from './device-service.ts'

interface ServiceDef extends NodeDef, LimitSettings {
  location: 'device' | 'hosted'
  baseUrl: string
  voice?: string
  model?: string
  encoding?: string
}

const settingTable = {
  voiceId: { form: 'voice' },
  modelId: { form: 'model', fallback: defaultModelId },
  audioEncoding: { form: 'encoding', fallback: defaultEncoding },
} as const

interface Defaults extends ServiceDefaults {
  /** Absent: the first voice that the service lists. */
  voiceId?: string
}

function register(RED: NodeAPI): void {
  const dataFolder = join(RED.settings.userDir ?? '.', 'parlando')
  const device = createDeviceService({ start: startOnDevice(dataFolder) })

  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    let connection: Connection | undefined
    let firstVoiceId: string | undefined
    let isClosed = false

    const forget = () => {
      connection = undefined
      firstVoiceId = undefined
    }

    const open = (): Connection => {
      if (config.location === 'hosted') {
        const apiKey = this.credentials?.apiKey ?? ''
        return connectHosted(RED, { baseUrl: config.baseUrl, apiKey }, config)
      }
      const opened = connectDevice(device, config, (reason) => {
        forget()
        this.warn(RED._('service.error.ended', { reason }))
      })
      opened.client.catch(forget)
      return opened
    }

    const { voiceId: chosenVoiceId, ...defaults } = readSettings(
      {},
      config,
      settingTable,
    ) as Defaults
    this.defaults = defaults

    const connect = (): Promise<Client> => {
      connection ??= open()
      return connection.client
    }

    this.connect = async (signal) => unlessAborted(connect(), signal)

    this.defaultVoiceId = async (call) => {
      const voiceId = chosenVoiceId ?? firstVoiceId
      if (voiceId) return voiceId
      const client = await this.connect(call.signal)
      const { voices } = await client.listVoices({}, call)
      firstVoiceId = voices[0]?.voiceId
      if (!firstVoiceId) throw new NodeInputError(RED._('service.error.no-voices'))
      return firstVoiceId
    }

    this.noteFailure = (error) => {
      // The first voice of the list may no longer exist.
      if (ParlandoError.isInstance(error) && error.code === 'NOT_FOUND') firstVoiceId = undefined
    }

    this.startAhead = () => {
      if (config.location === 'hosted' || connection) return
      connect().catch((error: Error) => isClosed || this.error(error.message))
    }

    this.on('close', async (done: () => void) => {
      isClosed = true
      await connection?.close()
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
  addAdminRoutes(RED, device)
}

export = register
