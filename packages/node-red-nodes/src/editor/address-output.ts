import { chosenConfigNode } from './config-node-field.ts'
import { RED } from './red.ts'

/**
 * Gives a node one more output while another node plays for its speaker: the output for the address of the sound.
 * @param ownOutputs how many it has without.
 */
export function addressOutput(ownOutputs: number): void {
  const select = $('#node-input-speaker')
  if (select.length === 0) return
  // The editor reads the number of outputs from a field with this name.
  const outputs = $('<input type="hidden" id="node-input-outputs">').insertAfter(select)
  const count = () => {
    const speaker = RED.nodes.node(chosenConfigNode('speaker')) as { kind?: string } | null
    outputs.val(ownOutputs + (speaker?.kind === 'another-node' ? 1 : 0))
  }
  select.on('change', count)
  count()
}
