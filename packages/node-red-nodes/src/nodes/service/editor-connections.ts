import type { Client } from '@parlando/core'
import type { NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { type Connection, connectDevice, connectHosted } from './connection.ts'
import type { DeviceService } from './device-service.ts'

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
export function createEditorConnections(RED: NodeAPI, device: DeviceService): EditorConnections {
  const openDevice = keepForAWhile(RED, (onEnd) => connectDevice(device, limits, onEnd))
  return {
    async use(service, request) {
      if (service?.location !== 'hosted') return request(await openDevice().client)
      const connection = connectHosted(RED, readAddress(RED, service), limits)
      try {
        return await request(await connection.client)
      } finally {
        await connection.close()
      }
    },
  }
}

function readAddress(RED: NodeAPI, service: UnsavedService): { baseUrl: string; apiKey: string } {
  const id = service.id ?? ''
  const baseUrl = fromEnvironment(RED, id, service.baseUrl ?? '')
  if (service.apiKey !== undefined) {
    return { baseUrl, apiKey: fromEnvironment(RED, id, service.apiKey) }
  }
  const stored = readStored(RED, id)
  if (stored.apiKey && stored.baseUrl !== baseUrl) {
    throw new NodeInputError(RED._('service.error.key-for-other-address'))
  }
  return { baseUrl, apiKey: stored.apiKey }
}

/** As deployed. Not asked of the node itself, which is not there while flows start again after a deploy. */
function readStored(RED: NodeAPI, id: string): { baseUrl: string; apiKey: string } {
  const { baseUrl = '' } = definitionOf(RED, (definition) => definition.id === id) ?? {}
  const { apiKey = '' } = (RED.nodes.getCredentials(id) ?? {}) as { apiKey?: string }
  return { baseUrl: fromEnvironment(RED, id, baseUrl), apiKey: fromEnvironment(RED, id, apiKey) }
}

/** `${NAME}` as Node-RED reads it when the node is deployed. */
function fromEnvironment(RED: NodeAPI, serviceId: string, value: string): string {
  const name = /^\$\{(\w+)\}$/.exec(value.trim())?.[1]
  if (!name) return value.trim()
  // Its tab may have variables; those of all flows are known to any node.
  const global = definitionOf(RED, ({ type }) => type === 'global-config')
  const node = RED.nodes.getNode(serviceId) ?? RED.nodes.getNode(global?.id ?? '')
  const set = RED.util.evaluateNodeProperty(name, 'env', node ?? ({} as never), {})
  return String(set || value).trim()
}

function definitionOf(
  RED: NodeAPI,
  isIt: (definition: NodeDef) => boolean,
): (NodeDef & UnsavedService) | undefined {
  let found: NodeDef | undefined
  RED.nodes.eachNode((definition) => {
    if (isIt(definition)) found = definition
  })
  return found
}

/** Opens a connection that serves the next request as well. It ends before flows stop, or when none comes for a while. */
function keepForAWhile(RED: NodeAPI, open: (onEnd: () => void) => Connection): () => Connection {
  let connection: Connection | undefined
  let idle: NodeJS.Timeout | undefined

  const forget = (gone: Connection) => {
    // One that was ended while it started fails later, when another may be here.
    if (gone !== connection) return
    RED.events.off('flows:stopping', end)
    clearTimeout(idle)
    connection = undefined
  }
  const end = () => {
    if (!connection) return
    void connection.close()
    forget(connection)
  }
  return () => {
    if (!connection) {
      const opened = open(() => forget(opened))
      opened.client.catch(() => forget(opened))
      RED.events.once('flows:stopping', end)
      connection = opened
    }
    clearTimeout(idle)
    idle = setTimeout(end, idleLimitMs).unref()
    return connection
  }
}
