import type { Client } from '@parlando/core'
import { completeAddress } from '@parlando/core/address'
import type { NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../../runtime/failure.ts'
import { isThisDevice } from '../../../runtime/service-defaults.ts'
import { sharedText } from '../../../runtime/texts.ts'
import type { DeviceService } from '../device-service.ts'
import { leaseHosted } from '../hosted-lease.ts'
import { ServiceConnection } from '../service-connection.ts'

/** The settings of a service in an open form. */
export interface UnsavedService {
  /** The id of the config node, deployed or not. */
  id?: string
  location?: 'device' | 'hosted'
  baseUrl?: string
  /** Absent if the form shows the stored key. */
  apiKey?: string
}

// A user is waiting for the response.
const limits = { timeoutSeconds: 15, retries: 0 }
const unusedLimitMs = 120_000

/** Connections for forms: they work before the first deploy, and send a stored key only to its stored address. */
export function createEditorConnections(RED: NodeAPI, device: DeviceService) {
  const disconnect = () => onDevice.disconnect()
  // Its process does not outlive the flows.
  const onDevice = new ServiceConnection({
    acquire(onExit) {
      RED.events.on('flows:stopping', disconnect)
      return device.acquire(onExit)
    },
    limits,
    unusedLimitMs,
    onEnd: () => RED.events.off('flows:stopping', disconnect),
  })
  return {
    /** Provides a client for one request of the editor. */
    async use<Value>(
      service: UnsavedService,
      request: (client: Client) => Promise<Value>,
    ): Promise<Value> {
      if (service.location !== 'hosted') return onDevice.use(request)
      const acquire = () => leaseHosted(RED, readAddress(RED, service))
      const hosted = new ServiceConnection({ acquire, limits })
      return hosted.use(request).finally(() => hosted.close())
    },
    /** The deployed settings of a service: only its id counts. @throws {NodeInputError} if it is not deployed. */
    deployed(service: UnsavedService): UnsavedService {
      const { id } = service
      if (isThisDevice(id)) return { location: 'device' }
      const deployed = definitionOf(
        RED,
        (definition) => definition.id === id && definition.type === 'parlando-service',
      )
      if (!deployed) throw new NodeInputError(sharedText(RED, 'error.no-service'))
      return { id: deployed.id, location: deployed.location, baseUrl: deployed.baseUrl }
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
  if (stored.apiKey && completeAddress(stored.baseUrl) !== completeAddress(baseUrl)) {
    throw new NodeInputError(RED._('service.error.key-for-other-address'))
  }
  return { baseUrl, apiKey: stored.apiKey }
}

/** Reads the deployed settings. The node itself does not exist while flows restart after a deploy. */
function readStored(RED: NodeAPI, id: string): { baseUrl: string; apiKey: string } {
  const { baseUrl = '' } = definitionOf(RED, (definition) => definition.id === id) ?? {}
  const { apiKey = '' } = (RED.nodes.getCredentials(id) ?? {}) as { apiKey?: string }
  return { baseUrl: fromEnvironment(RED, id, baseUrl), apiKey: fromEnvironment(RED, id, apiKey) }
}

/** Resolves `${NAME}` like Node-RED when it deploys the node. */
function fromEnvironment(RED: NodeAPI, serviceId: string, value: string): string {
  const name = /^\$\{(\w+)\}$/.exec(value.trim())?.[1]
  if (!name) return value.trim()
  // The node sees the variables of its tab. For a service that is not deployed, global variables remain.
  const global = definitionOf(RED, ({ type }) => type === 'global-config')
  const node = RED.nodes.getNode(serviceId) ?? RED.nodes.getNode(global?.id ?? '')
  const set = RED.util.evaluateNodeProperty(name, 'env', node ?? ({} as never), {})
  return String(set || value).trim()
}

function definitionOf(
  RED: NodeAPI,
  matches: (definition: NodeDef) => boolean,
): (NodeDef & UnsavedService) | undefined {
  let found: NodeDef | undefined
  RED.nodes.eachNode((definition) => {
    if (matches(definition)) found = definition
  })
  return found
}
