import { currentChoice } from '../shared/saved-choice.ts'
import { completeDefinition, type NodeDefinition, type SavedNode } from './node-definition.ts'
import { RED } from './red.ts'
import { serviceField } from './service-field.ts'
import { completeRows } from './shared-rows.ts'

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
      serviceField()
      definition.oneditprepare?.call(this)
    },
  })
}

/** A select has no option for the old name of a choice; left empty, it would save nothing. */
function selectCurrentNames(node: SavedNode, prefix: string): void {
  for (const property of ['busy', 'output']) {
    const saved = node[property]
    if (typeof saved === 'string') $(`#${prefix}-${property}`).val(currentChoice(saved))
  }
}
