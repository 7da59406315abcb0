import { join } from 'node:path'
import type { Client } from '@parlando/core'
import type { NodeAPI, NodeDef } from 'node-red'
import { builtInEncoding, builtInModel } from '../../shared/built-in.ts'
import { NodeInputError } from '../../shared/failure.ts'
import type { ServiceNode } from '../../shared/service-node.ts'
import { trimmed } from '../../shared/setting.ts'
import { unlessAborted } from '../../shared/unless-aborted.ts'
import { addAdminRoutes } from './admin.ts'
import { type Connection, connectDevice, connectHosted, type LimitSettings } from './connection.ts'
import { createDeviceService } from './device-service.ts'

interface ServiceDef extends NodeDef, LimitSettings {
  location: 'device' | 'hosted'
  baseUrl: string
  voice?: string
  model?: string
  encoding?: string
}

function register(RED: NodeAPI): void {
  const device = createDeviceService(join(RED.settings.userDir ?? '.', 'parlando'))

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

    this.defaults = {
      modelId: trimmed(config.model) || builtInModel,
      audioEncoding: config.encoding || builtInEncoding,
    }

    const connect = (): Promise<Client> => {
      connection ??= open()
      return connection.client
    }

    this.connect = async (signal) => unlessAborted(connect(), signal)

    this.defaultVoiceId = async (call) => {
      const voiceId = trimmed(config.voice) || firstVoiceId
      if (voiceId) return voiceId
      const client = await this.connect(call.signal)
      const { voices } = await client.listVoices({}, call)
      firstVoiceId = voices[0]?.voiceId
      if (!firstVoiceId) throw new NodeInputError(RED._('service.error.no-voices'))
      return firstVoiceId
    }

    this.forgetDefaultVoice = () => {
      firstVoiceId = undefined
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
