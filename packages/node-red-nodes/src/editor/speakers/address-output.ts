import { chosenConfigNode } from '../fields/config-node-field.ts'
import { type CanvasNode, RED } from '../red.ts'
import {
  type ChosenSpeakers,
  listedSpeakers,
  playedSpeakers,
  type SpeakerConfig,
} from './speaker-configs.ts'
import { speakerKinds } from './speaker-kinds.ts'

/** A node that may need an output for the address of the sound: one with a field for a speaker. */
interface PlayingNode extends CanvasNode {
  speaker?: string
  alsoOn?: readonly string[]
  outputs: number
  /** Set when the node has changes that are not deployed. */
  changed: boolean
  resize: boolean
  _def: { outputs?: number }
}

/**
 * Gives a node one more output while another node plays for its speaker: the output for the address of the sound.
 * @param ownOutputs how many it has without.
 * @param tab The tab of the node.
 */
export function addressOutput(ownOutputs: number, tab: string): void {
  const select = $('#node-input-speaker')
  const alsoOn = $('#node-input-alsoOn')
  if (select.length === 0) return
  // The editor reads the number of outputs from a field with this name.
  const outputs = $('<input type="hidden" id="node-input-outputs">').insertAfter(select)
  const count = () => {
    const chosen = { speaker: chosenConfigNode('speaker'), alsoOn: alsoOn.val() as string[] }
    outputs.val(ownOutputs + (needsOutput(chosen, tab) ? 1 : 0))
  }
  select.on('change', count)
  alsoOn.on('change', count)
  count()
}

/**
 * Gives the nodes of a speaker this output when the form of a speaker changes its kind, its members or its substitutes. The output stays when the kind
 * changes again, with its wires: opening a node and pressing *Done* removes it.
 */
export function followSpeakerKinds(): void {
  RED.events.on('nodes:change', (changed: unknown) => {
    const speaker = changed as SpeakerConfig
    if (speaker.type !== 'parlando-speaker') return
    RED.nodes.eachNode((each) => {
      const node = each as unknown as PlayingNode
      const outputs = (node._def.outputs ?? 1) + 1
      if (node.outputs >= outputs || !needsOutput(node, node.z)) return true
      Object.assign(node, { outputs, changed: true, dirty: true, resize: true })
      return true
    })
    RED.view.redraw()
  })
}

function needsOutput(chosen: ChosenSpeakers, tab: string): boolean {
  return [...playedSpeakers(chosen, listedSpeakers(tab))].some(handsOut)
}

function handsOut({ kind }: SpeakerConfig): boolean {
  return speakerKinds.some(({ name, handsOut }) => handsOut && name === kind)
}
