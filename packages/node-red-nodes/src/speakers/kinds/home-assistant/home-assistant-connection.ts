import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Texts } from '../../../runtime/texts.ts'
import { unlessAborted, withinTime } from '../../../runtime/wait.ts'
import { shown } from '../../network/device.ts'
import type { SpeakerError } from '../../speaker-error.ts'
import { type Frame, maxFrameBytes, readFrame } from './frame.ts'
import type { HomeAssistantServer } from './home-assistant-server.ts'
import { type Problem, problem } from './speaker-problem.ts'

/** A user waits, or the next announcement does. */
export const responseLimitMs = 5_000

/** A command of the WebSocket API (https://developers.home-assistant.io/docs/api/websocket, read 2026-11). */
export interface Command {
  type: string
  [field: string]: unknown
}

export interface ConnectionOptions {
  RED: Texts
  server: HomeAssistantServer
  /** How long Home Assistant may take to respond. Default: 5 s. */
  limitMs?: number
}

interface Pending {
  resolve(result: unknown): void
  reject(error: SpeakerError): void
}

/**
 * A connection to Home Assistant's WebSocket API. It ends with the first message that the API does not define, and does not
 * come back by itself.
 *
 * The library `home-assistant-js-websocket` is not used: a message that is not JSON, an event without a subscription, and a
 * subscription that fails after a reconnect are errors that nobody can catch there, and end the process.
 */
export class Connection {
  /** Rejects when the connection ends. */
  readonly ended: Promise<never>
  /** Of Home Assistant, such as `2026.11.1`. */
  version = ''
  isOpen = false
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  readonly #pending = new Map<number, Pending>()
  readonly #subscriptions = new Map<number, (event: unknown) => void>()
  #lastId = 0
  #end!: (error: SpeakerError) => void
  #authorised!: () => void

  private constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.ended = new Promise((_resolve, reject) => {
      this.#end = (error) => {
        this.isOpen = false
        socket.terminate()
        for (const { reject } of this.#pending.values()) reject(error)
        this.#pending.clear()
        this.#subscriptions.clear()
        reject(error)
      }
    })
    this.ended.catch(() => {})
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? '' : String(data)))
    socket.on('unexpected-response', (_request, response) => this.#endAfter(response))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#endWith('not-reachable', { reason: error.code ?? error.message })
    })
    socket.on('close', () => this.#endWith('lost'))
  }

  /**
   * Connects, and sends the token once the other side says that it is Home Assistant. A redirect is not followed: the token
   * would go to another server.
   * @throws {SpeakerError} or the reason of the signal.
   */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
    const { WebSocket } = await import('ws')
    signal.throwIfAborted()
    const socket = new WebSocket(options.server.webSocketUrl, {
      followRedirects: false,
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
    })
    const connection = new Connection(socket, options)
    const authorised = new Promise<void>((resolve) => {
      connection.#authorised = resolve
    })
    try {
      const opening = unlessAborted(Promise.race([authorised, connection.ended]), signal)
      await withinTime(options.limitMs ?? responseLimitMs, opening, () =>
        connection.#problem('no-response'),
      )
    } catch (error) {
      connection.#end(error as SpeakerError)
      throw error
    }
    return connection
  }

  /**
   * Sends a command.
   * @param limitMs How long Home Assistant may take. The connection ends if it takes longer. Default: that of the connection.
   * @returns its result.
   * @throws {SpeakerError}
   */
  async request(
    command: Command,
    limitMs = this.#options.limitMs ?? responseLimitMs,
  ): Promise<unknown> {
    const id = this.#send(command)
    const response = new Promise<unknown>((resolve, reject) => {
      if (this.isOpen) this.#pending.set(id, { resolve, reject })
      else reject(this.#problem('lost'))
    })
    if (limitMs === Number.POSITIVE_INFINITY) return response
    return withinTime(limitMs, response, () => {
      const error = this.#problem('no-response')
      this.#end(error)
      return error
    })
  }

  /** Sends a command to which Home Assistant responds with events. */
  async subscribe(command: Command, onEvent: (event: unknown) => void): Promise<void> {
    const subscribed = this.request(command)
    this.#subscriptions.set(this.#lastId, onEvent)
    await subscribed
  }

  /** Ends the connection. */
  close(): void {
    this.#endWith('lost')
  }

  #send(command: Command): number {
    this.#lastId += 1
    if (this.isOpen) this.#socket.send(JSON.stringify({ ...command, id: this.#lastId }))
    return this.#lastId
  }

  #receive(text: string): void {
    const frame = readFrame(text)
    if (!frame) this.#endWith('other-server', { reason: 'malformed message' })
    else if (this.isOpen) this.#dispatch(frame)
    else this.#authorise(frame)
  }

  #authorise({ type, version }: Frame): void {
    if (type === 'auth_required') {
      const { token } = this.#options.server
      this.#socket.send(JSON.stringify({ type: 'auth', access_token: token }))
    } else if (type === 'auth_ok') {
      this.version = version
      this.isOpen = true
      this.#authorised()
    } else {
      this.#endWith(type === 'auth_invalid' ? 'wrong-token' : 'other-server', {
        reason: 'malformed message',
      })
    }
  }

  #dispatch({ type, id, event, result, error }: Frame): void {
    if (type === 'event') this.#subscriptions.get(id)?.(event)
    const pending = type === 'result' ? this.#pending.get(id) : undefined
    if (!pending) return
    this.#pending.delete(id)
    if (error === undefined) pending.resolve(result)
    else pending.reject(this.#problem('rejected', { reason: shown(this.#withoutToken(error)) }))
  }

  /** Ends the connection after a response that opens no WebSocket, such as a redirect. */
  #endAfter(response: IncomingMessage): void {
    response.destroy()
    this.#endWith('other-server', { reason: `HTTP ${response.statusCode}` })
  }

  #endWith(name: Problem, values?: Record<string, string>): void {
    this.#end(this.#problem(name, values))
  }

  #problem(name: Problem, values: Record<string, string> = {}): SpeakerError {
    const { RED, server } = this.#options
    return problem(RED, name, { address: server.address, ...values })
  }

  /** A server may send back what it received. */
  #withoutToken(text: string): string {
    return text.replaceAll(this.#options.server.token, '…')
  }
}
