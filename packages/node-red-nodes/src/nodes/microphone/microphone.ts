import type { Node, NodeAPI, NodeDef } from 'node-red'
import { talkModes } from '../../microphones/page/page-messages.ts'
import { serveMicrophonePages } from '../../microphones/page/page-routes.ts'
import { handleClose, handleInput } from '../../runtime/input.ts'
import type { SpeakerNode } from '../../speakers/speaker.ts'
import { type MicrophoneMessage, readCommand } from './microphone-message.ts'
import { MachineMicrophone } from './use-machine.ts'
import { usePage } from './use-page.ts'

/** Settings of the form. A hand-written flow may leave each out, or set it to any value. */
interface MicrophoneDef extends NodeDef {
  kind?: unknown
  mode?: unknown
  /** The id of the speaker whose sounds the page plays, too. */
  alsoPlays?: unknown
  device?: unknown
  /** What ends a recording of this machine: `message`, or also `silence`. */
  ends?: unknown
}

function register(RED: NodeAPI): void {
  const pages = serveMicrophonePages(RED)

  function Microphone(this: Node, config: MicrophoneDef) {
    RED.nodes.createNode(this, config)
    const { kind, name, mode, alsoPlays, device, ends } = config
    const microphone =
      kind === 'machine'
        ? new MachineMicrophone(RED, this, {
            device: trimmedText(device),
            endsOnSilence: ends === 'silence',
          })
        : usePage(RED, this, pages, trimmedText(name) || 'microphone', {
            mode: talkModes.find((one) => one === mode) ?? 'push',
            speaker: (RED.nodes.getNode(trimmedText(alsoPlays)) as SpeakerNode | null)?.page ?? '',
          })

    handleInput<MicrophoneMessage>(this, (message, send, end) => {
      const command = readCommand(RED, message)
      if (command === 'start') return microphone.start(message, send, end)
      if (command === 'stop') microphone.stop()
      else microphone.show(command.role, command.text)
      end()
    })

    handleClose(this, async () => {
      this.status({})
      await microphone.close()
      this.status({})
    })
  }
  RED.nodes.registerType('parlando-microphone', Microphone)
}

function trimmedText(setting: unknown): string {
  return typeof setting === 'string' ? setting.trim() : ''
}

export = register
