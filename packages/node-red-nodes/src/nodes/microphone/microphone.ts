import type { Node, NodeAPI, NodeDef } from 'node-red'
import { type TalkMode, talkModes } from '../../microphones/page/messages.ts'
import { handleInput } from '../../shared/input.ts'
import type { SpeakerNode } from '../../speakers/speaker.ts'
import { readCommand } from './command.ts'
import type { MicrophoneMessage } from './messages.ts'
import { useMachine } from './use-machine.ts'
import { usePage } from './use-page.ts'

/** Settings of the form. A hand-written flow may leave each out. */
interface MicrophoneDef extends NodeDef {
  kind?: 'page' | 'machine'
  mode?: TalkMode
  /** The id of the speaker whose sounds the page plays, too. */
  alsoPlays?: string
  device?: string
}

function register(RED: NodeAPI): void {
  function Microphone(this: Node, config: MicrophoneDef) {
    RED.nodes.createNode(this, config)
    const { kind, mode, alsoPlays = '', device = '' } = config
    const microphone =
      kind === 'machine'
        ? useMachine(RED, this, device.trim())
        : usePage(RED, this, config.name || 'microphone', {
            mode: talkModes.find((one) => one === mode) ?? 'push',
            speaker: (RED.nodes.getNode(alsoPlays) as SpeakerNode | null)?.page ?? '',
          })

    handleInput<MicrophoneMessage>(this, (message, send, end) => {
      if (readCommand(RED, message) === 'start') return microphone.start(message, send, end)
      microphone.stop()
      end()
    })

    this.on('close', async (done: () => void) => {
      this.status({})
      await microphone.close()
      this.status({})
      done()
    })
  }
  RED.nodes.registerType('parlando-microphone', Microphone)
}

export = register
