import { chosenConfigNode } from './config-node-field.ts'
import { type CanvasNode, RED } from './red.ts'
import { listedSpeakers, playsOn, type SpeakerConfig } from './speaker-configs.ts'
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
    const needsOutput = listedSpeakers(tab).some((own) => handsOut(own) && playsOn(chosen, own))
    outputs.val(ownOutputs + (needsOutput ? 1 : 0))
  }
  select.on('change', count)
  alsoOn.on('change', count)
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
      if (!playsOn(node, speaker) || node.outputs >= outputs) return true
      Object.assign(node, { outputs, changed: true, dirty: true, resize: true })
      return true
    })
    RED.view.redraw()
  })
}

function handsOut({ kind }: SpeakerConfig): boolean {
  return speakerKinds.some(({ name, handsOut }) => handsOut && name === kind)
}
