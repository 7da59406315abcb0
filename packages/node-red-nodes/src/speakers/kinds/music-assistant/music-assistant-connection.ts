import type { Texts } from '../../../runtime/texts.ts'
import {
  type ApiMessage,
  type ApiProtocol,
  ApiSocket,
  type SocketProblem,
} from '../../network/api-socket.ts'
import { objectOf, parseJson } from '../../network/json.ts'
import type { MusicAssistantServer } from './music-assistant-server.ts'
import { type MusicAssistantProblem, problem } from './speaker-problem.ts'

/** The list of a house with a hundred players takes 300 KB. */
export const maxFrameBytes = 512 * 1024
const maxErrorCharacters = 200
/** Music Assistant 2.7: earlier versions know no tokens. */
const firstSchemaWithTokens = 28
const authId = 'auth'

export interface ConnectionOptions {
  RED: Texts
  server: MusicAssistantServer
  /** How long Music Assistant may take to respond. Default: 5 s. */
  limitMs?: number
}

/** An event of Music Assistant, which sends all of them without being asked. */
export interface MusicAssistantEvent {
  /** A name such as `player_updated`. */
  name: string
  /** The player that it is about, for example. */
  id: string
  data: unknown
}

/**
 * A connection to Music Assistant's WebSocket API (music_assistant/controllers/webserver/websocket_client.py of version 2.11,
 * read 2026-11). It is open only while it is used, because Music Assistant sends every client all events of the house.
 */
export class Connection {
  readonly #socket: ApiSocket
  #lastId = 0

  private constructor(socket: ApiSocket) {
    this.#socket = socket
  }

  /**
   * Connects, and sends the token once the other side says that it is Music Assistant.
   * @throws {SpeakerError} or the reason of the signal.
   */
  static async open(
    { RED, server, limitMs }: ConnectionOptions,
    signal: AbortSignal,
    onEvent: (event: MusicAssistantEvent) => void = () => {},
  ): Promise<Connection> {
    const { address, webSocketUrl: url, token } = server
    const problemAt = (name: MusicAssistantProblem, values: Record<string, string> = {}) =>
      problem(RED, name, { address, ...values })
    const options = {
      ...{ url, token, maxFrameBytes, limitMs },
      protocol: protocolOf(token, problemAt),
      onEvent: ({ event }: ApiMessage) => onEvent(event as MusicAssistantEvent),
      problem: (name: SocketProblem, values?: Record<string, string>) => problemAt(name, values),
    }
    return new Connection(await ApiSocket.open(options, signal))
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  /** Rejects when the connection ends. */
  get ended(): Promise<never> {
    return this.#socket.ended
  }

  /**
   * Sends a command, such as `players/get`.
   * @param limitMs How long it may take. Default: that of the connection.
   * @returns its result.
   * @throws {SpeakerError}
   */
  request(command: string, args: object = {}, limitMs?: number): Promise<unknown> {
    this.#lastId += 1
    const id = String(this.#lastId)
    return this.#socket.request(id, { message_id: id, command, args }, limitMs)
  }

  close(): void {
    this.#socket.close()
  }
}

function protocolOf(
  token: string,
  problemAt: (name: MusicAssistantProblem, values?: Record<string, string>) => Error,
): ApiProtocol {
  return {
    greet(text, send) {
      const message = objectOf(parseJson(text))
      const { schema_version: schema, server_id: serverId, message_id: id } = message
      const error = errorOf(message)
      if (id === authId && error !== undefined) throw problemAt('wrong-token')
      if (error !== undefined) throw problemAt('other-server', { reason: error })
      if (id === authId) return 'result' in message
      if (typeof schema !== 'number' || typeof serverId !== 'string')
        throw problemAt('other-server', { reason: 'malformed message' })
      if (schema < firstSchemaWithTokens) throw problemAt('too-old')
      send({ message_id: authId, command: 'auth', args: { token } })
      return false
    },
    read: readMessage,
  }
}

/** @returns `undefined` for what is not a message of the API. */
function readMessage(text: string): ApiMessage | undefined {
  const message = objectOf(parseJson(text))
  const { message_id: id, event: name, object_id: objectId, data, result, partial } = message
  if (typeof name === 'string') {
    return { id: '', event: { name, id: typeof objectId === 'string' ? objectId : '', data } }
  }
  const error = errorOf(message)
  if (typeof id !== 'string' || (error === undefined && !('result' in message))) return undefined
  // No command of the driver has a result in parts.
  return { id, isResult: partial !== true, result, ...(error !== undefined && { error }) }
}

function errorOf({ error_code: code, details }: Readonly<Record<string, unknown>>) {
  if (code === undefined) return undefined
  const text = typeof details === 'string' && details.trim() !== '' ? details : `error ${code}`
  return text.slice(0, maxErrorCharacters)
}
