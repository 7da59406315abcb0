import type { AlarmsMessage, BrowserCommand } from '../../speakers/browser/commands.ts'
import { type ConnectionProblem, keepConnected, socketAddress } from '../keep-connected.ts'

export interface CommandOptions {
  onCommand(command: BrowserCommand): void
  onAlarms(alarms: AlarmsMessage['alarms']): void
  /** @param problem Why the page has no connection, if that is known. */
  onConnected(isConnected: boolean, problem?: ConnectionProblem): void
}

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
  let usesEvents = false
  const take = (message: ServerMessage) => {
    if (message.type === 'alarms') options.onAlarms(message.alarms)
    else if (message.type !== 'alive') options.onCommand(message)
  }
  const open = (token: string) => {
    let hasOpened = false
    const connect = usesEvents ? openEvents : openSocket
    return connect(
      path,
      { player, token },
      {
        onOpen() {
          hasOpened = true
          // If there are any, they follow.
          options.onAlarms([])
          options.onConnected(true)
        },
        onMessage(json) {
          connection.noteMessage()
          take(JSON.parse(json))
        },
        onLost() {
          usesEvents = !hasOpened && !usesEvents
          connection.lose()
        },
      },
    )
  }
  const connection = keepConnected(path, open, (problem) => options.onConnected(false, problem))
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
