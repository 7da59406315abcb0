import type { Texts } from '../../../runtime/texts.ts'
import { type ApiMessage, type ApiProtocol, ApiSocket } from '../../network/api-socket.ts'
import { maxFrameBytes, readFrame } from './frame.ts'
import type { HomeAssistantServer } from './home-assistant-server.ts'
import { type HomeAssistantProblem, problem } from './speaker-problem.ts'

/** A command of the WebSocket API (https://developers.home-assistant.io/docs/api/websocket, read 2026-11). */
export interface HomeAssistantCommand {
  type: string
  [field: string]: unknown
}

export interface HomeAssistantConnectionOptions {
  RED: Texts
  server: HomeAssistantServer
  /** How long Home Assistant may take to respond. Default: 5 s. */
  limitMs?: number
}

/**
 * A connection to Home Assistant's WebSocket API.
 *
 * The library `home-assistant-js-websocket` is not used: a message that is not JSON, an event without a subscription, and a
 * subscription that fails after a reconnect are errors that nobody can catch there, and end the process.
 */
export class HomeAssistantConnection {
  /** The version of Home Assistant, such as `2026.11.1`. */
  version = ''
  #socket!: ApiSocket
  readonly #subscriptions = new Map<number | string, (event: unknown) => void>()
  #lastId = 0

  private constructor() {}

  /** Connects, and sends the token once the other side says that it is Home Assistant. @throws {SpeakerError} or the reason of the signal. */
  static async open(
    options: HomeAssistantConnectionOptions,
    signal: AbortSignal,
  ): Promise<HomeAssistantConnection> {
    const { RED, server, limitMs } = options
    const { webSocketUrl: url, token, address } = server
    const connection = new HomeAssistantConnection()
    const problemAt = (name: HomeAssistantProblem, values: Record<string, string> = {}) =>
      problem(RED, name, { address, ...values })
    const protocol = connection.#protocol(token, problemAt)
    const onEvent = ({ id, event }: ApiMessage) => connection.#subscriptions.get(id)?.(event)
    const socketOptions = { url, token, protocol, maxFrameBytes, limitMs, onEvent }
    connection.#socket = await ApiSocket.open({ ...socketOptions, problem: problemAt }, signal)
    return connection
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  /** Rejects when the connection ends. */
  get ended(): Promise<never> {
    return this.#socket.ended
  }

  /**
   * Sends a command.
   * @param limitMs How long Home Assistant may take. The connection ends if it takes longer. Default: that of the connection.
   * @returns its result.
   * @throws {SpeakerError}
   */
  request(command: HomeAssistantCommand, limitMs?: number): Promise<unknown> {
    this.#lastId += 1
    const id = this.#lastId
    return this.#socket.request(id, { ...command, id }, limitMs)
  }

  /** Sends a command to which Home Assistant responds with events. */
  async subscribe(command: HomeAssistantCommand, onEvent: (event: unknown) => void): Promise<void> {
    const subscribed = this.request(command)
    this.#subscriptions.set(this.#lastId, onEvent)
    await subscribed
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.close()
  }

  #protocol(
    token: string,
    problemAt: (name: HomeAssistantProblem, values?: Record<string, string>) => Error,
  ): ApiProtocol {
    return {
      greet: (text, send) => {
        const frame = readFrame(text)
        if (frame?.type === 'auth_required') send({ type: 'auth', access_token: token })
        else if (frame?.type === 'auth_ok') this.version = frame.version
        else if (frame?.type === 'auth_invalid') throw problemAt('wrong-token')
        else throw problemAt('other-server', { reason: 'malformed message' })
        return frame.type === 'auth_ok'
      },
      read(text) {
        const frame = readFrame(text)
        if (!frame) return undefined
        const { type, id, event, result, error } = frame
        return {
          id,
          isResult: type === 'result',
          result,
          error,
          event: type === 'event' ? event : undefined,
        }
      },
    }
  }
}
