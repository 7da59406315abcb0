import type { Node, NodeAPI } from 'node-red'
import type { RecordingReceiver } from '../../microphones/microphone-recording.ts'
import type { PageState } from '../../microphones/page/microphone-page.ts'
import type { PageSettings } from '../../microphones/page/page-messages.ts'
import type { MicrophonePages } from '../../microphones/page/page-routes.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { failedStatus } from '../../runtime/status.ts'
import { type MicrophoneControl, recordingMessages } from './microphone-message.ts'

/** Sends what browsers record on the page of the node. */
export function usePage(
  RED: NodeAPI,
  node: Node,
  pages: MicrophonePages,
  name: string,
  settings: PageSettings,
): MicrophoneControl {
  let isClosed = false
  const onChange = ({ connected, isRecording }: PageState) => {
    if (isClosed) return
    if (isRecording)
      node.status({ fill: 'blue', shape: 'dot', text: 'microphone.status.recording' })
    else if (connected > 0)
      node.status({ fill: 'green', shape: 'dot', text: 'microphone.status.connected' })
    else node.status({ fill: 'grey', shape: 'ring', text: 'microphone.status.no-page' })
  }
  const onRecording = (): RecordingReceiver => {
    const first = { _msgid: RED.util.generateId(), topic: name }
    const clone = RED.util.cloneMessage
    const messages = recordingMessages(first, RED.util.generateId(), clone)
    return {
      push: (pcm) => node.send(messages.next(pcm)),
      end(isInterrupted) {
        const last = messages.last(isInterrupted)
        if (last && !isClosed) node.send(last)
      },
    }
  }
  const page = pages.open(name, { settings, onRecording, onChange })
  if (page) onChange({ connected: 0, isRecording: false })
  else {
    const error = new NodeInputError(RED._('microphone.error.same-name', { name }))
    node.status(failedStatus(error))
    node.error(toFailure(error))
  }
  return {
    start() {
      throw new NodeInputError(RED._('microphone.error.starts-in-browser'))
    },
    stop: () => page?.stop(),
    show: (role, text) => page?.show(role, text),
    async close() {
      isClosed = true
      page?.close()
    },
  }
}
