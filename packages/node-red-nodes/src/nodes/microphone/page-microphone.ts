import type { Node, NodeAPI } from 'node-red'
import type { RecordingReceiver } from '../../microphones/microphone-recording.ts'
import type { PageState, WakeWordReports } from '../../microphones/page/microphone-page.ts'
import type { PageSettings } from '../../microphones/page/page-messages.ts'
import type { MicrophonePages } from '../../microphones/page/page-routes.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { failedStatus } from '../../runtime/status.ts'
import {
  type MicrophoneControl,
  type MicrophoneMessage,
  recordingMessages,
} from './microphone-message.ts'
import type { OpenWakeWordListener } from './wake-word-settings.ts'

export interface PageMicrophoneOptions {
  pages: MicrophonePages
  name: string
  settings: PageSettings
  /** Absent: the page waits for no wake word. */
  openListener: OpenWakeWordListener | undefined
}

/** Sends what browsers record on the page of the node. */
export function openPageMicrophone(
  RED: NodeAPI,
  node: Node,
  { pages, name, settings, openListener }: PageMicrophoneOptions,
): MicrophoneControl {
  let isClosed = false
  const onChange = ({ connected, isRecording, isWaiting }: PageState) => {
    if (isClosed) return
    if (isRecording)
      node.status({ fill: 'blue', shape: 'dot', text: 'microphone.status.recording' })
    else if (isWaiting)
      node.status({ fill: 'green', shape: 'ring', text: 'microphone.status.page-waiting' })
    else if (connected > 0)
      node.status({ fill: 'green', shape: 'dot', text: 'microphone.status.connected' })
    else node.status({ fill: 'grey', shape: 'ring', text: 'microphone.status.no-page' })
  }
  const onRecording = (message?: MicrophoneMessage): RecordingReceiver => {
    const { generateId, cloneMessage } = RED.util
    const first = message ?? { _msgid: generateId(), topic: name }
    const messages = recordingMessages(first, generateId(), cloneMessage)
    return {
      push: (pcm) => node.send(messages.next(pcm)),
      end(isInterrupted) {
        const last = messages.last(isInterrupted)
        if (last && !isClosed) node.send(last)
      },
    }
  }
  const onWait =
    openListener &&
    ((reports: WakeWordReports) => openListenerOfBrowser(openListener, reports, node))
  const page = pages.open(name, { settings, onRecording, onChange, ...(onWait && { onWait }) })
  if (page) onChange({ connected: 0, isRecording: false, isWaiting: false })
  else {
    const error = new NodeInputError(RED._('microphone.error.same-name', { name }))
    node.status(failedStatus(error))
    node.error(toFailure(error))
  }
  return {
    start(message, _send, end) {
      if (!page?.wake(message))
        throw new NodeInputError(RED._('microphone.error.starts-in-browser'))
      end()
    },
    stop: () => page?.stop(),
    show: (role, text) => page?.show(role, text),
    async close() {
      isClosed = true
      await page?.close()
    },
  }
}

/** Listens to one browser. Catch and the page receive a problem once, not at every attempt. */
function openListenerOfBrowser(
  openListener: OpenWakeWordListener,
  reports: WakeWordReports,
  node: Node,
): ReturnType<OpenWakeWordListener> {
  let last = ''
  const onProblem = (error: unknown) => {
    const failure = toFailure(error)
    if (failure.toString() !== last) node.error(failure)
    last = failure.toString()
    reports.onProblem(error)
  }
  try {
    return openListener({ ...reports, onProblem })
  } catch (error) {
    onProblem(error)
    return { push() {}, close: async () => {} }
  }
}
