import { defaultEncoding, defaultModelId, isThisDevice } from '../runtime/service-defaults.ts'
import { chosenConfigNode } from './fields/config-node-field.ts'
import { RED } from './red.ts'

/** A service in the editor, deployed or not. */
export interface ServiceSettings {
  /** Empty: this device, without a configuration node. */
  id: string
  location: 'device' | 'hosted'
  baseUrl: string
  /** Absent if only Node-RED has the key. */
  apiKey?: string
  /** The defaults for nodes with empty fields; empty: the built-in default. */
  voice: string
  model: string
  encoding: string
}

interface ServiceConfig extends Partial<ServiceSettings> {
  id: string
  credentials?: { apiKey?: string; has_apiKey?: boolean }
}

// The editor's placeholder for a password that only Node-RED has.
const storedPassword = '__PWRD__'

/** The selected service in the open form of a node, including changes that are not deployed. */
export function chosenService(): ServiceSettings | undefined {
  return serviceWithId(chosenConfigNode('service'))
}

/** A service of the editor, including changes that are not deployed. @param id empty: this device. */
export function serviceWithId(id: string): ServiceSettings | undefined {
  if (isThisDevice(id)) return complete({ id: '' }, undefined)
  const config = RED.nodes.node(id) as unknown as ServiceConfig | null
  if (!config) return undefined
  const { apiKey, has_apiKey: hasKey } = config.credentials ?? {}
  return complete(config, hasKey === false ? '' : apiKey)
}

/** The service of the open service form, with the current values. */
export function openService(id: string): ServiceSettings {
  const field = (name: string) => String($(`#node-config-input-${name}`).val() ?? '')
  const config = {
    id,
    location: field('location') as ServiceSettings['location'],
    baseUrl: field('baseUrl'),
    model: field('model'),
    encoding: field('encoding'),
  }
  return complete(config, field('apiKey'))
}

function complete(config: ServiceConfig, apiKey: string | undefined): ServiceSettings {
  return {
    id: config.id,
    location: config.location ?? 'device',
    baseUrl: config.baseUrl ?? '',
    apiKey: apiKey === storedPassword ? undefined : apiKey,
    voice: config.voice ?? '',
    model: config.model || defaultModelId,
    encoding: config.encoding || defaultEncoding,
  }
}
