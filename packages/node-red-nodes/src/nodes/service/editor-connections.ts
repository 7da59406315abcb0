import type { Client } from '@parlando/core'
import type { NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import type { ServiceNode } from '../../shared/service-node.ts'
import { type Connection, closeConnection, connectDevice, connectHosted } from './connection.ts'

/** The settings of a service as they stand in an open form. */
export interface UnsavedService {
  /** The id of the config node, deployed or not. */
  id?: string
  location?: 'device' | 'hosted'
  baseUrl?: string
  /** Absent when the form shows the key that is stored. */
  apiKey?: string
}

export interface EditorConnections {
  /** Lends a client for one request of the editor. */
  use<Value>(service: UnsavedService, request: (client: Client) => Promise<Value>): Promise<Value>
}

// Somebody sits in front of the form and waits.
const limits = { timeoutSeconds: 15, retries: 0 }
const idleLimitMs = 120_000

/** Connections for forms: they work before the first deploy, and a stored key goes to its stored address alone. */
export function createEditorConnections(RED: NodeAPI): EditorConnections {
  const device = createSharedDevice(RED)
  return {
    async use(service, request) {
      if (service?.location !== 'hosted') {
        const node = findDeviceNode(RED)
        return node ? request(await node.connect()) : device.use(request)
      }
      const connection = connectHosted(readAddress(RED, service), limits)
      try {
        return await request(connection.client)
      } finally {
        await closeConnection(connection)
      }
    },
  }
}

/** Any node that has a service running on this device will do: they all have the same voices. */
function findDeviceNode(RED: NodeAPI): ServiceNode | undefined {
  let node: ServiceNode | undefined
  RED.nodes.eachNode((definition) => {
    const { type, location } = definition as NodeDef & { location?: string }
    if (type !== 'parlando-service' || location === 'hosted') return
    node ??= (RED.nodes.getNode(definition.id) as ServiceNode | null) ?? undefined
  })
  return node
}

function readAddress(RED: NodeAPI, service: UnsavedService): { baseUrl: string; apiKey: string } {
  const baseUrl = fromEnvironment(RED, service.baseUrl ?? '')
  if (!baseUrl) throw new NodeInputError(RED._('service.error.no-address'))
  if (service.apiKey !== undefined) {
    return { baseUrl, apiKey: fromEnvironment(RED, service.apiKey) }
  }
  const stored = readStored(RED, service.id ?? '')
  if (stored.apiKey && stored.baseUrl !== baseUrl) {
    throw new NodeInputError(RED._('service.error.key-for-other-address'))
  }
  return { baseUrl, apiKey: stored.apiKey }
}

/** As deployed. Not asked of the node itself, which is not there while flows start again after a deploy. */
function readStored(RED: NodeAPI, id: string): { baseUrl: string; apiKey: string } {
  let baseUrl = ''
  RED.nodes.eachNode((definition) => {
    if (definition.id === id) baseUrl = (definition as NodeDef & UnsavedService).baseUrl ?? ''
  })
  const { apiKey = '' } = (RED.nodes.getCredentials(id) ?? {}) as { apiKey?: string }
  return { baseUrl: fromEnvironment(RED, baseUrl), apiKey: fromEnvironment(RED, apiKey) }
}

/** `${NAME}` as Node-RED reads it when the node is deployed. */
function fromEnvironment(RED: NodeAPI, value: string): string {
  const name = /^\$\{(\w+)\}$/.exec(value.trim())?.[1]
  if (!name) return value.trim()
  return String(RED.util.evaluateNodeProperty(name, 'env', {} as never, {}) ?? '')
}

/** A service on this device for as long as forms ask for it, where no flow has one. It ends before flows stop. */
function createSharedDevice(RED: NodeAPI) {
  let opened: { connection: Promise<Connection>; close(): void } | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined

  const open = () => {
    const ending = new AbortController()
    const forget = () => {
      RED.events.off('flows:stopping', close)
      if (opened?.close === close) opened = undefined
    }
    const connection = connectDevice({
      userFolder: RED.settings.userDir ?? '.',
      limits,
      signal: ending.signal,
      onExit: forget,
    })
    connection.catch(forget)
    const close = () => {
      forget()
      ending.abort()
      void connection.then(closeConnection).catch(() => {})
    }
    RED.events.once('flows:stopping', close)
    return { connection, close }
  }

  return {
    async use<Value>(request: (client: Client) => Promise<Value>): Promise<Value> {
      users += 1
      clearTimeout(idle)
      try {
        opened ??= open()
        return await request((await opened.connection).client)
      } finally {
        users -= 1
        if (users === 0) idle = setTimeout(() => opened?.close(), idleLimitMs).unref()
      }
    },
  }
}
