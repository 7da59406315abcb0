import { chosenConfigNode } from './config-node-field.ts'
import { type CanvasNode, RED } from './red.ts'
import { speakerKinds } from './speaker-kinds.ts'

/** A node that may need an output for the address of the sound: one with a field for a speaker. */
interface PlayingNode extends CanvasNode {
  speaker?: string
  outputs: number
  /** Set when the node has changes that are not deployed. */
  changed: boolean
  resize: boolean
  _def: { outputs?: number }
}

interface SpeakerConfig {
  id: string
  type: string
  kind?: string
}

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
    const speaker = RED.nodes.node(chosenConfigNode('speaker')) as SpeakerConfig | null
    outputs.val(ownOutputs + (speaker && handsOut(speaker) ? 1 : 0))
  }
  select.on('change', count)
  count()
}

/**
 * Gives the nodes of a speaker this output when the form of the speaker changes its kind. The output stays when the kind
 * changes again, with its wires: opening a node and pressing *Done* removes it.
 */
export function followSpeakerKinds(): void {
  RED.events.on('nodes:change', (changed: unknown) => {
    const speaker = changed as SpeakerConfig
    if (speaker.type !== 'parlando-speaker' || !handsOut(speaker)) return
    RED.nodes.eachNode((each) => {
      const node = each as unknown as PlayingNode
      const outputs = (node._def.outputs ?? 1) + 1
      if (node.speaker !== speaker.id || node.outputs >= outputs) return true
      Object.assign(node, { outputs, changed: true, dirty: true, resize: true })
      return true
    })
    RED.view.redraw()
  })
}

function handsOut({ kind }: SpeakerConfig): boolean {
  return speakerKinds.some(({ name, handsOut }) => handsOut && name === kind)
}
