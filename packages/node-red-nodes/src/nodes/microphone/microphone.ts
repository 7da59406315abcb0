import type { Node, NodeAPI, NodeDef } from 'node-red'
import { talkModes } from '../../microphones/page/page-messages.ts'
import { type MicrophonePages, serveMicrophonePages } from '../../microphones/page/page-routes.ts'
import { leaveThisDevice } from '../../runtime/find-service.ts'
import { handleClose, handleInput } from '../../runtime/input.ts'
import { trimmedText } from '../../runtime/saved-settings.ts'
import type { SpeakerNode } from '../../speakers/speaker.ts'
import { MachineMicrophone } from './machine-microphone.ts'
import {
  type MicrophoneControl,
  type MicrophoneMessage,
  readCommand,
} from './microphone-message.ts'
import { openPageMicrophone } from './page-microphone.ts'
import { WakeWordMicrophone } from './wake-word-microphone.ts'
import { type WakeWordDef, wakeWordListeners } from './wake-word-settings.ts'

/** Settings of the form. A hand-written flow may leave each out, or set it to any value. */
interface MicrophoneDef extends NodeDef, WakeWordDef {
  kind?: unknown
  mode?: unknown
  /** The id of the speaker whose sounds the page plays, too. */
  alsoPlays?: unknown
  device?: unknown
  /** What starts a recording of this machine: `message`, or `wake-word`. */
  starts?: unknown
  /** What ends a recording of this machine: `message`, or also `silence`. */
  ends?: unknown
}

function register(RED: NodeAPI): void {
  const pages = serveMicrophonePages(RED)

  function Microphone(this: Node, config: MicrophoneDef) {
    RED.nodes.createNode(this, config)
    const microphone = openMicrophone(RED, this, pages, config)

    handleInput<MicrophoneMessage>(this, (message, send, end) => {
      const command = readCommand(RED, message)
      if (command === 'start') return microphone.start(message, send, end)
      if (command === 'stop') microphone.stop()
      else microphone.show(command.role, command.text)
      end()
    })

    handleClose(RED, this, async () => {
      this.status({})
      await microphone.close()
      await leaveThisDevice(this)
      this.status({})
    })
  }
  RED.nodes.registerType('parlando-microphone', Microphone)
}

function openMicrophone(
  RED: NodeAPI,
  node: Node,
  pages: MicrophonePages,
  config: MicrophoneDef,
): MicrophoneControl {
  const { kind, mode, alsoPlays, ends, starts } = config
  const name = trimmedText(config.name) || 'microphone'
  const device = trimmedText(config.device)
  if (kind !== 'machine') {
    const speaker = RED.nodes.getNode(trimmedText(alsoPlays)) as SpeakerNode | null
    const settings = {
      mode: talkModes.find((one) => one === mode) ?? 'push',
      speaker: speaker?.page ?? '',
    }
    const waits = settings.mode === 'wake-word'
    const openListener = waits ? wakeWordListeners(RED, node, config) : undefined
    return openPageMicrophone(RED, node, { pages, name, settings, openListener })
  }
  if (starts !== 'wake-word') {
    return new MachineMicrophone(RED, node, { device, endsOnSilence: ends === 'silence' })
  }
  const openListener = wakeWordListeners(RED, node, config)
  return new WakeWordMicrophone(RED, node, { device, topic: name, openListener })
}

export = register
