import type {
  PageMessage,
  PageSettings,
  ServerMessage,
  TextRole,
} from '../../microphones/page/page-messages.ts'
import { bytesPerSecond } from '../../microphones/recording.ts'
import { type ConnectionProblem, requestToken, socketAddress } from '../page-token.ts'

export interface ConnectionOptions {
  onReady(settings: PageSettings): void
  /** The connection is lost. The page connects again by itself. */
  onLost(problem: ConnectionProblem | undefined): void
  onBusy(): void
  onShow(role: TextRole, text: string): void
  onStop(): void
}

/** The connection of the page to its node. */
export interface Connection {
  send(message: PageMessage): void
  sendPacket(packet: Int16Array<ArrayBuffer>): void
}

const retryMs = 2000
/** The server sends a sign of life every 15 seconds. A phone that slept may not notice that its connection is gone. */
const maxSilenceMs = 40_000
/** Ten seconds of sound. A network that is behind by more will not catch up. */
const maxUnsentBytes = 10 * bytesPerSecond

/** Connects the page, also after a restart of Node-RED. @param path The path of the page. */
export function connectPage(path: string, options: ConnectionOptions): Connection {
  let socket: WebSocket | undefined
  let lastAt = 0
  let isConnecting = false

  const lose = (problem?: ConnectionProblem) => {
    if (socket) socket.onclose = null
    socket?.close()
    socket = undefined
    options.onLost(problem)
  }
  const take = (message: ServerMessage) => {
    if (message.type === 'ready') options.onReady(message.settings)
    else if (message.type === 'busy') options.onBusy()
    else if (message.type === 'show') options.onShow(message.role, message.text)
    else if (message.type === 'stop') options.onStop()
  }
  const open = async () => {
    const response = await requestToken(path)
    if ('problem' in response) return lose(response.problem)
    socket = new WebSocket(socketAddress(path, { token: response.token }))
    lastAt = Date.now()
    socket.onclose = () => lose()
    socket.onmessage = ({ data }) => {
      lastAt = Date.now()
      take(JSON.parse(data))
    }
  }
  const check = async () => {
    if (isConnecting || (socket && Date.now() - lastAt < maxSilenceMs)) return
    isConnecting = true
    if (socket) lose()
    await open().catch(() => lose())
    isConnecting = false
  }
  void check()
  setInterval(check, retryMs)
  document.addEventListener('visibilitychange', check)

  const isOpen = () => socket?.readyState === WebSocket.OPEN
  return {
    send: (message) => isOpen() && socket!.send(JSON.stringify(message)),
    sendPacket(packet) {
      if (!isOpen()) return
      if (socket!.bufferedAmount > maxUnsentBytes) return lose()
      // The bytes of the samples are in the order of the processor, which is little-endian wherever there are browsers.
      socket!.send(packet)
    },
  }
}
