import { currentChoice } from '../shared/saved-choice.ts'
import { addressOutput } from './address-output.ts'
import { configNodeField } from './config-node-field.ts'
import { completeDefinition, type NodeDefinition, type SavedNode } from './node-definition.ts'
import { RED } from './red.ts'
import { completeRows } from './shared-rows.ts'
import { text } from './texts.ts'

/**
 * Registers a node with the editor. Adds what all nodes of the package share: members of the definition, and the rows
 * that the form marks with `data-row`.
 */
export function registerNode(type: string, definition: NodeDefinition): void {
  const prefix = definition.category === 'config' ? 'node-config-input' : 'node-input'
  const template = $(`script[data-template-name="${type}"]`)
  template.text(completeRows(template.text(), prefix))
  RED.nodes.registerType(type, {
    ...completeDefinition(type, definition),
    oneditprepare(this: SavedNode) {
      selectCurrentNames(this, prefix)
      configNodeField('service')
      configNodeField('speaker')
      configNodeField('alsoPlays')
      addressOutput(Number(definition['outputs'] ?? 1))
      definition.oneditprepare?.call(this)
      describeMore(this, definition.defaults, prefix)
    },
  })
}

/** Opens the fields below *More* if the node is not valid; otherwise its title says how many of them were changed. */
function describeMore(node: SavedNode, defaults: NodeDefinition['defaults'], prefix: string): void {
  for (const more of $(`#${prefix}-name`).closest('.parlando-form').children('details').get()) {
    const changed = Object.entries(defaults).filter(([property, { value }]) => {
      const isInside = $(more).find(`#${prefix}-${property}`).length > 0
      return isInside && (node[property] ?? value) !== value
    })
    more.toggleAttribute('open', node['valid'] === false)
    if (changed.length === 0) continue
    // Without the attribute, or the editor translates the title again.
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
