import { isThisDevice } from '../shared/saved-settings.ts'
import { RED } from './red.ts'

interface EditorNode {
  id: string
  type: string
  z?: string
  d?: boolean
  valid?: boolean
  service?: string
}

/** The service for a node that is dropped on a tab: the one that most nodes use. */
export function preferredService(tab: string): string {
  const uses = new Map<string, number>()
  RED.nodes.eachConfig((config) => {
    const { id, type, z, d, valid } = config as EditorNode
    const isInScope = !z || z === tab
    if (type === 'parlando-service' && isInScope && !d && valid !== false) uses.set(id, 0)
    return true
  })
  // Last, so that another service wins if both have the same number of nodes.
  uses.set('', 0)
  RED.nodes.eachNode((node) => {
    const { type, service } = node as EditorNode
    const id = isThisDevice(service) ? '' : String(service)
    if (type.startsWith('parlando-') && uses.has(id)) uses.set(id, uses.get(id)! + 1)
    return true
  })
  const [most] = [...uses].sort(([, one], [, other]) => other - one)
  return most![0]
}
