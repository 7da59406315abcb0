import type {
  AlarmsMessage,
  BrowserCommand,
  HeardMessage,
  MicrophoneUse,
  OpenMicrophoneMessage,
  QuestionMessage,
  ReadingMessage,
} from '../../speakers/browser/commands.ts'
import {
  type ConnectionProblem,
  keepConnected,
  maxUnsentBytes,
  socketAddress,
} from '../keep-connected.ts'

export interface CommandOptions {
  onCommand(command: BrowserCommand): void
  onAlarms(alarms: AlarmsMessage['alarms']): void
  onQuestion(question: QuestionMessage['question']): void
  onReading(reading: ReadingMessage['reading']): void
  /** The server opens or closes the microphone of the page. */
  onMicrophone(use: MicrophoneUse, isOpen: boolean): void
  onHeard(heard: HeardMessage['heard']): void
  /** @param problem Why the page has no connection, if that is known. */
  onConnected(isConnected: boolean, problem?: ConnectionProblem): void
}

type ServerMessage =
  | BrowserCommand
  | AlarmsMessage
  | QuestionMessage
  | ReadingMessage
  | OpenMicrophoneMessage
  | HeardMessage
  | { type: 'alive' }

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
 * @returns `send`: sends sound, or why there is none, over the WebSocket; `lose`: connects again.
 */
export function receiveCommands(path: string, player: string, options: CommandOptions) {
  let usesEvents = false
  let socket: WebSocket | undefined
  const take = (message: ServerMessage) => {
    if (message.type === 'alarms') options.onAlarms(message.alarms)
    else if (message.type === 'question') options.onQuestion(message.question)
    else if (message.type === 'reading') options.onReading(message.reading)
    else if (message.type === 'microphone') options.onMicrophone(message.use, message.isOpen)
    else if (message.type === 'heard') options.onHeard(message.heard)
    else if (message.type !== 'alive') options.onCommand(message)
  }
  const open = (token: string) => {
    let hasOpened = false
    const handlers: ConnectionHandlers = {
      onOpen() {
        hasOpened = true
        // If there are any, they follow.
        options.onAlarms([])
        options.onQuestion(undefined)
        options.onReading(undefined)
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
    }
    const query = { player, token }
    if (usesEvents) return openEvents(path, query, handlers)
    socket = new WebSocket(socketAddress(path, query))
    return followSocket(socket, handlers)
  }
  const connection = keepConnected(path, open, (problem) => options.onConnected(false, problem))
  return {
    send(data: string | Int16Array<ArrayBuffer>) {
      if (socket?.readyState !== WebSocket.OPEN) return
      if (socket.bufferedAmount > maxUnsentBytes) return connection.lose()
      // The bytes of samples are in the order of the processor, which is little-endian wherever there are browsers.
      socket.send(data)
    },
    lose: () => connection.lose(),
  }
}

function followSocket(
  socket: WebSocket,
  { onOpen, onMessage, onLost }: ConnectionHandlers,
): () => void {
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
