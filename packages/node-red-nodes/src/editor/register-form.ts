import { currentChoice } from '../runtime/saved-settings.ts'
import { isThisDevice } from '../runtime/service-defaults.ts'
import { configNodeField } from './fields/config-node-field.ts'
import type { FormNode, NodeForm } from './node-form.ts'
import { RED, text } from './red.ts'
import { completeRows } from './shared-rows.ts'
import { addressOutput } from './speakers/address-output.ts'
import { alsoOnField } from './speakers/speaker-list.ts'

/** What the HTML of a node contains itself, because the flow library reads it there. */
export interface PaletteEntry {
  /** `config` for a configuration node. */
  category: string
  color?: string
  icon?: string
  inputs?: number
  outputs?: number
  /** Whether the editor warns of a configuration node that no node names in its settings. Default: true. */
  hasUsers?: boolean
}

type SavedNode = Record<string, unknown>
type TranslatedNode = FormNode<object>

/**
 * Registers a node with the editor: its form, what all nodes of the package share, and the rows that its template marks with
 * `data-row`.
 */
export function registerForm(type: string, nodeForm: NodeForm<object>, entry: PaletteEntry): void {
  const prefix = entry.category === 'config' ? 'node-config-input' : 'node-input'
  const template = $(`script[data-template-name="${type}"]`)
  const {
    oneditprepare,
    complete,
    inputPort = '',
    outputPorts = [],
    hasOwnOutputs,
    ...form
  } = nodeForm
  template.text(completeRows(template.text(), prefix, complete))
  const defaults = defaultsOf(nodeForm)
  RED.nodes.registerType(type, {
    ...entry,
    labelStyle,
    ...('service' in defaults && { onadd: chooseService }),
    label(this: TranslatedNode) {
      return this.name || form.paletteLabel
    },
    inputLabels(this: TranslatedNode) {
      return this._(inputPort)
    },
    outputLabels(this: TranslatedNode, index: number) {
      const keys = typeof outputPorts === 'function' ? outputPorts.call(this) : outputPorts
      return this._(keys[index] ?? '')
    },
    ...form,
    defaults,
    oneditprepare(this: SavedNode) {
      selectCurrentNames(this, prefix)
      configNodeField('service')
      configNodeField('speaker')
      configNodeField('alsoPlays')
      configNodeField('mcpServer')
      configNodeField('mcpAccess')
      alsoOnField(this)
      if (!hasOwnOutputs) addressOutput(entry.outputs ?? 1, String(this['z'] ?? ''))
      oneditprepare?.call(this)
      describeMore(this, defaults, prefix)
    },
  })
}

type Defaults = Record<string, { value: unknown; type?: string; required?: boolean }>

/** The settings that a node saves. */
export function defaultsOf({ defaults, usesService = true }: NodeForm<object>): Defaults {
  // Not required: without a service, the node uses this device.
  const service = { value: '', type: 'parlando-service', required: false }
  return { name: { value: '' }, ...(usesService && { service }), ...defaults }
}

function labelStyle(this: SavedNode): string {
  return this['name'] ? 'node_label_italic' : ''
}

/** Called for a node that is dropped, and for nodes that are pasted or imported; only those exist already. */
function chooseService(this: SavedNode): void {
  const { id, z } = this as { id: string; z: string }
  if (!RED.nodes.node(id)) this['service'] = preferredService(z)
}

/** Opens the fields below *More* if the node is not valid; otherwise its title says how many of them were changed. */
function describeMore(node: SavedNode, defaults: Defaults, prefix: string): void {
  for (const more of $(`#${prefix}-name`).closest('.parlando-form').children('details').get()) {
    const changed = Object.entries(defaults).filter(([property, { value }]) => {
      const isInside = $(more).find(`#${prefix}-${property}, #parlando-${property}`).length > 0
      return isInside && JSON.stringify(node[property] ?? value) !== JSON.stringify(value)
    })
    more.toggleAttribute('open', node['valid'] === false)
    if (changed.length === 0) continue
    // With the attribute, the editor would translate the title again.
    const title = $(more).children('summary').removeAttr('data-i18n')
    title.text(text('more-changed', { count: changed.length }))
  }
}

/** A select has no option for the old name of a choice; left empty, it would save nothing. */
function selectCurrentNames(node: SavedNode, prefix: string): void {
  for (const property of ['busy', 'output']) {
    const saved = node[property]
    if (typeof saved === 'string') $(`#${prefix}-${property}`).val(currentChoice(saved))
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
function preferredService(tab: string): string {
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
