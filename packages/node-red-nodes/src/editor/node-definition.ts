import { preferredService } from './preferred-service.ts'
import { RED } from './red.ts'

/** The part of a node's definition that these forms use; Node-RED knows more members. */
export interface NodeDefinition {
  /** `config` for a configuration node. Default: the palette's category of these nodes. */
  category?: string
  /** Whether the node has a field for the speech service. Default: true. */
  usesService?: boolean
  defaults: Record<string, { value: unknown; [option: string]: unknown }>
  oneditprepare?(this: SavedNode): void
  [member: string]: unknown
}

/** A node with its saved settings. */
export type SavedNode = Record<string, unknown>

/** Completes a definition with the members that all nodes of the package share; a node may override each. */
export function completeDefinition(type: string, definition: NodeDefinition): NodeDefinition {
  const name = { name: { value: '' } }
  if (definition.category === 'config') {
    return { labelStyle, ...definition, defaults: { ...name, ...definition.defaults } }
  }
  const { usesService = true } = definition
  // Not required: without a service, the node uses this device.
  const service = { service: { value: '', type: 'parlando-service', required: false } }
  return {
    category: 'Parlando',
    color: '#C0DEED',
    inputs: 1,
    outputs: 1,
    icon: `${type}.svg`,
    labelStyle,
    ...(usesService && { onadd: chooseService }),
    ...definition,
    defaults: { ...name, ...(usesService && service), ...definition.defaults },
  }
}

function labelStyle(this: SavedNode): string {
  return this['name'] ? 'node_label_italic' : ''
}

/** Called for a node that is dropped, and for nodes that are pasted or imported; only those exist already. */
function chooseService(this: SavedNode): void {
  const { id, z } = this as { id: string; z: string }
  if (!RED.nodes.node(id)) this['service'] = preferredService(z)
}
