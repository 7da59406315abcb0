import { RED, text } from '../red.ts'

// The editor's value for no configuration node.
const emptyChoice = '_ADD_'

/** The id of the configuration node in a field of the open form; empty: none. */
export function chosenConfigNode(property: 'service' | 'speaker'): string {
  const value = String($(`#node-input-${property}`).val() ?? '')
  return value === emptyChoice ? '' : value
}

/** Names the empty choice of a field for a configuration node, and describes the buttons next to it. */
export function configNodeField(
  property: 'service' | 'speaker' | 'alsoPlays' | 'mcpServer' | 'mcpAccess',
): void {
  const select = $(`#node-input-${property}`)
  if (select.length === 0) return
  const besides = property === 'speaker' ? $('#node-input-alsoOn') : $()
  const nameEmptyChoice = () => {
    const empty = besides.children().length > 0 ? 'empty-besides' : 'empty'
    const name = text(`config-node.${property}.${empty}`)
    const option = select.children(`[value=${emptyChoice}]`)
    if (option.text() !== name) option.text(name)
  }
  nameEmptyChoice()
  besides.on('change', nameEmptyChoice)
  // The editor fills the select again after each change of a configuration node.
  new MutationObserver(nameEmptyChoice).observe(select[0]!, { childList: true })
  // The editor's own tooltips contain the technical name of the type.
  for (const action of ['edit', 'add']) {
    const button = $(`#node-input-btn-${property}-${action}`).off('mouseenter mouseleave')
    RED.popover.tooltip(button, text(`config-node.${property}.${action}`))
  }
}
