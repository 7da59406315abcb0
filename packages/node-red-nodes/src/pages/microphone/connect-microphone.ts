import type {
  PageMessage,
  PageSettings,
  ServerMessage,
  TextRole,
} from '../../microphones/page/page-messages.ts'
import {
  type ConnectionProblem,
  keepConnected,
  maxUnsentBytes,
  socketAddress,
} from '../keep-connected.ts'

export interface MicrophoneConnectionOptions {
  onReady(settings: PageSettings): void
  /** The connection is lost. The page connects again by itself. */
  onLost(problem?: ConnectionProblem): void
  onBusy(): void
  onShow(role: TextRole, text: string): void
  onStop(): void
  /** Node-RED waits for one of these phrases. */
  onWaiting(phrases: readonly string[]): void
  /** Somebody has said the wake word, or the flow wants to listen. */
  onAwake(): void
  /** Node-RED cannot wait for the wake word now. */
  onWakeWordProblem(reason: string): void
}

/** Connects the page, also after a restart of Node-RED. @param path The path of the page. */
export function connectPage(path: string, options: MicrophoneConnectionOptions) {
  let socket: WebSocket | undefined
  const take = (message: ServerMessage) => {
    if (message.type === 'ready') options.onReady(message.settings)
    else if (message.type === 'busy') options.onBusy()
    else if (message.type === 'show') options.onShow(message.role, message.text)
    else if (message.type === 'stop') options.onStop()
    else if (message.type === 'waiting') options.onWaiting(message.phrases)
    else if (message.type === 'awake') options.onAwake()
    else if (message.type === 'wake-word-problem') options.onWakeWordProblem(message.reason)
  }
  const open = (token: string) => {
    const opened = new WebSocket(socketAddress(path, { token }))
    socket = opened
    opened.onclose = () => connection.lose()
    opened.onmessage = ({ data }) => {
      connection.noteMessage()
      take(JSON.parse(data))
    }
    return () => {
      opened.onclose = null
      opened.close()
    }
  }
  const connection = keepConnected(path, open, options.onLost)

  const isOpen = () => socket?.readyState === WebSocket.OPEN
  return {
    send: (message: PageMessage) => isOpen() && socket!.send(JSON.stringify(message)),
    sendPacket(packet: Int16Array<ArrayBuffer>) {
      if (!isOpen()) return
      if (socket!.bufferedAmount > maxUnsentBytes) return connection.lose()
      // The bytes of the samples are in the order of the processor, which is little-endian wherever there are browsers.
      socket!.send(packet)
    },
  }
}

export type MicrophoneConnection = ReturnType<typeof connectPage>
