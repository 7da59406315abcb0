import { defaultEncoding, defaultModelId } from '../shared/defaults.ts'
import { RED } from './red.ts'

/** A service as the editor knows it, deployed or not. */
export interface ServiceSettings {
  id: string
  location: 'device' | 'hosted'
  baseUrl: string
  /** Absent where only Node-RED has it. */
  apiKey?: string
  /** What nodes use that leave a field of theirs empty; empty: the built-in one. */
  voice: string
  model: string
  encoding: string
}

interface ServiceConfig extends Partial<ServiceSettings> {
  id: string
  credentials?: { apiKey?: string; has_apiKey?: boolean }
}

// What the editor shows in the place of a password that only Node-RED has.
const storedPassword = '__PWRD__'

/** The service that is chosen in the open form of a node, with changes of it that are not deployed. */
export function chosenService(): ServiceSettings | undefined {
  const id = String($('#node-input-service').val())
  const config = RED.nodes.node(id) as unknown as ServiceConfig | null
  if (!config) return undefined
  const { apiKey, has_apiKey: hasKey } = config.credentials ?? {}
  return complete(config, hasKey === false ? '' : apiKey)
}

/** The service whose own form is open, as it stands there. */
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
