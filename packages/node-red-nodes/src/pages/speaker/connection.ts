import type { AlarmsMessage, BrowserCommand } from '../../speakers/browser/commands.ts'
import { type ConnectionProblem, requestToken, socketAddress } from '../page-token.ts'

export interface CommandOptions {
  onCommand(command: BrowserCommand): void
  onAlarms(alarms: AlarmsMessage['alarms']): void
  /** @param problem Why the page has no connection, if that is known. */
  onConnected(isConnected: boolean, problem?: ConnectionProblem): void
}

/** The server sends a sign of life every 15 seconds. A tablet that slept may not notice that its connection is gone. */
const maxSilenceMs = 40_000
const checkMs = 2000

type ServerMessage = BrowserCommand | AlarmsMessage | { type: 'alive' }

interface ConnectionHandlers {
  onOpen(): void
  onMessage(json: string): void
  onLost(): void
}

/**
 * Receives the commands of the server, also after a restart of Node-RED: over a WebSocket, or as server-sent events where a
 * proxy passes on no WebSocket. Browsers open at most six connections of the second kind to one host, for all pages together.
 * @param path The path of the page.
 * @param player The secret of this browser.
 */
export function receiveCommands(path: string, player: string, options: CommandOptions): void {
  let close: (() => void) | undefined
  let isConnecting = false
  let usesEvents = false
  let lastAt = 0

  const lose = (problem?: ConnectionProblem) => {
    close?.()
    close = undefined
    options.onConnected(false, problem)
  }
  const take = (message: ServerMessage) => {
    if (message.type === 'alarms') options.onAlarms(message.alarms)
    else if (message.type !== 'alive') options.onCommand(message)
  }
  const open = async () => {
    const response = await requestToken(path)
    if ('problem' in response) return lose(response.problem)
    const query = { player, token: response.token }
    let hasOpened = false
    const connect = usesEvents ? openEvents : openSocket
    lastAt = Date.now()
    close = connect(path, query, {
      onOpen() {
        hasOpened = true
        // If there are any, they follow.
        options.onAlarms([])
        options.onConnected(true)
      },
      onMessage(json) {
        lastAt = Date.now()
        take(JSON.parse(json))
      },
      onLost() {
        usesEvents = !hasOpened && !usesEvents
        lose()
      },
    })
  }
  const check = async () => {
    if (isConnecting || (close && Date.now() - lastAt < maxSilenceMs)) return
    isConnecting = true
    if (close) lose()
    await open().catch(() => lose())
    isConnecting = false
  }
  void check()
  setInterval(check, checkMs)
  document.addEventListener('visibilitychange', check)
}

function openSocket(
  path: string,
  query: Record<string, string>,
  { onOpen, onMessage, onLost }: ConnectionHandlers,
): () => void {
  const socket = new WebSocket(socketAddress(path, query))
  socket.onopen = onOpen
  socket.onmessage = ({ data }) => onMessage(data)
  socket.onclose = onLost
  return () => {
    socket.onclose = null
    socket.close()
  }
}

function openEvents(
  path: string,
  query: Record<string, string>,
  { onOpen, onMessage, onLost }: ConnectionHandlers,
): () => void {
  const events = new EventSource(`${path}/events?${new URLSearchParams(query)}`)
  events.onopen = onOpen
  events.onmessage = ({ data }) => onMessage(data)
  // It would connect again with a token that is used.
  events.onerror = onLost
  return () => events.close()
}
