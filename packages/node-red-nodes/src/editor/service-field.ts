import { isThisDevice } from '../shared/speech-service.ts'
import { RED } from './red.ts'
import { text } from './texts.ts'

const input = '#node-input-service'

// The editor's value for no configuration node.
const emptyChoice = '_ADD_'

/** The service in the open form of a node; empty: this device. */
export function chosenServiceId(): string {
  const value = String($(input).val() ?? '')
  return value === emptyChoice ? '' : value
}

/** Names the empty choice of the service select, and describes the buttons next to it. */
export function serviceField(): void {
  const select = $(input)
  if (select.length === 0) return
  const nameEmptyChoice = () => {
    const option = select.children(`[value=${emptyChoice}]`)
    if (option.text() !== text('this-device')) option.text(text('this-device'))
  }
  nameEmptyChoice()
  // The editor fills the select again after each change of a service.
  new MutationObserver(nameEmptyChoice).observe(select[0]!, { childList: true })
  // The editor's own tooltips contain the technical name of the type.
  const tooltips = { edit: text('edit-service'), add: text('add-service') }
  for (const [action, tooltip] of Object.entries(tooltips)) {
    const button = $(`#node-input-btn-service-${action}`).off('mouseenter mouseleave')
    RED.popover.tooltip(button, tooltip)
  }
}

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
