import type { NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import type { ServiceNode } from '../../shared/service-node.ts'
import { addAdminRoutes } from './admin.ts'
import {
  type Connection,
  closeConnection,
  connectDevice,
  connectHosted,
  type LimitSettings,
} from './connection.ts'

interface ServiceDef extends NodeDef, LimitSettings {
  location: 'device' | 'hosted'
  baseUrl: string
  voice?: string
  model?: string
  encoding?: string
}

function register(RED: NodeAPI): void {
  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    let connection: Promise<Connection> | undefined
    let firstVoiceId: string | undefined
    const closing = new AbortController()

    const forget = () => {
      connection = undefined
      firstVoiceId = undefined
    }

    const connect = async (): Promise<Connection> => {
      if (config.location === 'hosted') {
        if (!config.baseUrl) throw new NodeInputError(RED._('service.error.no-address'))
        const apiKey = this.credentials?.apiKey ?? ''
        return connectHosted({ baseUrl: config.baseUrl, apiKey }, config)
      }
      return connectDevice({
        userFolder: RED.settings.userDir ?? '.',
        limits: config,
        signal: closing.signal,
        onExit: (reason) => {
          forget()
          this.warn(RED._('service.error.ended', { reason }))
        },
      })
    }

    const open = (): Promise<Connection> => {
      connection ??= connect().catch((error) => {
        forget()
        throw error
      })
      return connection
    }

    this.defaults = {
      voiceId: config.voice ?? '',
      modelId: config.model || 'svc-tts-2',
      audioEncoding: config.encoding || 'MP3',
    }

    this.connect = async () => (await open()).client

    this.defaultVoiceId = async (signal) => {
      if (config.voice) return config.voice
      if (firstVoiceId) return firstVoiceId
      const client = await this.connect()
      const { voices } = await client.listVoices({}, { signal })
      firstVoiceId = voices[0]?.voiceId
      if (!firstVoiceId) throw new NodeInputError(RED._('service.error.no-voices'))
      return firstVoiceId
    }

    // Started with the flow and not with the first message, which would have to wait for it; but not for nobody.
    if (config.location !== 'hosted' && isUsed(RED, this.id)) {
      open().catch((error: Error) => closing.signal.aborted || this.error(error.message))
    }

    this.on('close', async (done: () => void) => {
      closing.abort()
      // What did not start has nothing to close.
      await closeConnection(await connection?.catch(() => undefined))
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
  addAdminRoutes(RED)
}

function isUsed(RED: NodeAPI, serviceId: string): boolean {
  let isUsed = false
  RED.nodes.eachNode((node) => {
    isUsed ||= (node as NodeDef & { service?: string }).service === serviceId
  })
  return isUsed
}

export = register
