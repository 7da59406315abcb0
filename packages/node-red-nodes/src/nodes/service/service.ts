import { randomBytes } from 'node:crypto'
import { type Client, createClient } from '@parlando/core'
import type { LocalService } from '@parlando/local-service'
import type { NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import type { ServiceNode } from '../../shared/service-node.ts'

interface ServiceDef extends NodeDef {
  location: 'device' | 'hosted'
  baseUrl: string
}

interface Connection {
  client: Client
  service?: LocalService
}

function register(RED: NodeAPI): void {
  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    let connection: Promise<Connection> | undefined
    let voiceId: string | undefined
    const closing = new AbortController()

    const forget = () => {
      connection = undefined
      voiceId = undefined
    }

    const startOnDevice = async (): Promise<Connection> => {
      // Loaded late, so that flows that only use a hosted service never pay for it.
      const { startLocalServiceProcess } = await import('@parlando/local-service')
      const apiKey = randomBytes(24).toString('base64url')
      const service = await startLocalServiceProcess({
        apiKey,
        signal: closing.signal,
        onExit: (reason) => {
          forget()
          this.warn(RED._('service.error.ended', { reason }))
        },
      })
      return { client: createClient({ baseUrl: service.baseUrl, apiKey }), service }
    }

    const startHosted = async (): Promise<Connection> => {
      if (!config.baseUrl) throw new NodeInputError(RED._('service.error.no-address'))
      const apiKey = this.credentials?.apiKey ?? ''
      return { client: createClient({ baseUrl: config.baseUrl.trim(), apiKey: apiKey.trim() }) }
    }

    const open = (): Promise<Connection> => {
      connection ??= (config.location === 'hosted' ? startHosted() : startOnDevice()).catch(
        (error) => {
          forget()
          throw error
        },
      )
      return connection
    }

    this.connect = async () => (await open()).client
    this.defaultVoiceId = async (signal) => {
      if (voiceId) return voiceId
      const client = await this.connect()
      const { voices } = await client.listVoices({}, { signal })
      voiceId = voices[0]?.voiceId
      if (!voiceId) throw new NodeInputError(RED._('service.error.no-voices'))
      return voiceId
    }

    // Started with the flow and not with the first message, which would have to wait for it.
    if (config.location !== 'hosted') {
      open().catch((error: Error) => closing.signal.aborted || this.error(error.message))
    }

    this.on('close', async (done: () => void) => {
      closing.abort()
      // What did not start has nothing to close.
      const opened = await connection?.catch(() => undefined)
      await Promise.all([opened?.client.close(), opened?.service?.close()])
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
}

export = register
