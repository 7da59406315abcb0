import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import type { SpeakerError } from '../speaker-error.ts'
import { shown } from './device.ts'

/** A user waits, or the next announcement does. */
export const responseLimitMs = 5_000

/** What can go wrong with any server. */
export type SocketProblem = 'not-reachable' | 'other-server' | 'no-response' | 'lost' | 'rejected'

/** What a message means, as far as the connection needs it. */
export interface ApiMessage {
  /** The id of the command that it is about. */
  id: number | string
  /** Whether the command has ended. */
  isResult?: boolean
  result?: unknown
  /** Why the command failed. */
  error?: string
  event?: unknown
}

/** How the messages of one API are read. */
export interface ApiProtocol {
  /**
   * Reads a message before the connection is open, and sends what the server asks for. Absent where the server says nothing first.
   * @returns whether the connection is open now.
   * @throws {SpeakerError}
   */
  greet?(text: string, send: (message: object) => void): boolean
  /** @returns `undefined` for what the API does not define: the connection ends. */
  read(text: string): ApiMessage | undefined
}

export interface ApiSocketOptions {
  url: string
  /** It goes to no other address, and is in no error. Absent where the server asks for none. */
  token?: string
  handshake?: Handshake
  protocol: ApiProtocol
  /** Larger messages end the connection. */
  maxFrameBytes: number
  /** How long the server may take to respond. Default: 5 s. */
  limitMs?: number | undefined
  /** Receives the events of the server. */
  onEvent?(message: ApiMessage): void
  /** The error of a problem. */
  problem(name: SocketProblem, values?: Record<string, string>): SpeakerError
}

/** What a server expects of the request that opens the WebSocket. */
export interface Handshake {
  subprotocol: string
  headers: Readonly<Record<string, string>>
  /** Accepts, for this connection only, the certificate that a device made itself. */
  acceptsAnyCertificate: boolean
}

interface Pending {
  resolve(result: unknown): void
  reject(error: SpeakerError): void
}

/**
 * A WebSocket to a server that responds to commands. It ends with the first message that the API does not define, and does not
 * come back by itself.
 */
export class ApiSocket {
  /** Rejects when the connection ends. */
  readonly ended: Promise<never>
  isOpen = false
  readonly #options: ApiSocketOptions
  readonly #socket: WebSocket
  readonly #pending = new Map<number | string, Pending>()
  #end!: (error: SpeakerError) => void
  #opened!: () => void

  private constructor(socket: WebSocket, options: ApiSocketOptions) {
    this.#socket = socket
    this.#options = options
    this.ended = new Promise((_resolve, reject) => {
      this.#end = (error) => {
        this.isOpen = false
        socket.terminate()
        for (const { reject } of this.#pending.values()) reject(error)
        this.#pending.clear()
        reject(error)
      }
    })
    this.ended.catch(() => {})
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? '' : String(data)))
    socket.on('unexpected-response', (_request, response) => this.#endAfter(response))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#end(options.problem('not-reachable', { reason: error.code ?? error.message }))
    })
    socket.on('close', () => this.close())
    if (!options.protocol.greet) socket.on('open', () => this.#open())
  }

  /**
   * Connects, and greets the server. A redirect is not followed: the token would go to another server.
   * @throws {SpeakerError} or the reason of the signal.
   */
  static async open(options: ApiSocketOptions, signal: AbortSignal): Promise<ApiSocket> {
    const { WebSocket } = await import('ws')
    signal.throwIfAborted()
    const { subprotocol, headers, acceptsAnyCertificate } = options.handshake ?? {}
    const socket = new WebSocket(options.url, subprotocol ? [subprotocol] : [], {
      ...(headers && { headers }),
      rejectUnauthorized: !acceptsAnyCertificate,
      followRedirects: false,
      maxPayload: options.maxFrameBytes,
      perMessageDeflate: false,
    })
    const connection = new ApiSocket(socket, options)
    const opened = new Promise<void>((resolve) => {
      connection.#opened = resolve
    })
    try {
      const opening = unlessAborted(Promise.race([opened, connection.ended]), signal)
      await withinTime(options.limitMs ?? responseLimitMs, opening, () =>
        options.problem('no-response'),
      )
    } catch (error) {
      connection.#end(error as SpeakerError)
      throw error
    }
    return connection
  }

  /**
   * Sends a command.
   * @param limitMs How long the server may take. The connection ends if it takes longer. Default: that of the connection.
   * @returns its result.
   * @throws {SpeakerError}
   */
  async request(
    id: number | string,
    command: object,
    limitMs = this.#options.limitMs ?? responseLimitMs,
  ): Promise<unknown> {
    const { problem } = this.#options
    if (!this.isOpen) throw problem('lost')
    const response = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
    })
    this.#socket.send(JSON.stringify(command))
    if (limitMs === Number.POSITIVE_INFINITY) return response
    return withinTime(limitMs, response, () => {
      const error = problem('no-response')
      this.#end(error)
      return error
    })
  }

  close(): void {
    this.#end(this.#options.problem('lost'))
  }

  #receive(text: string): void {
    const { protocol, problem } = this.#options
    const message = this.isOpen ? protocol.read(text) : undefined
    if (message) this.#dispatch(message)
    else if (this.isOpen) this.#end(problem('other-server', { reason: 'malformed message' }))
    else this.#greet(text)
  }

  #greet(text: string): void {
    const send = (message: object) => this.#socket.send(JSON.stringify(message))
    try {
      if (this.#options.protocol.greet?.(text, send)) this.#open()
    } catch (error) {
      this.#end(error as SpeakerError)
    }
  }

  #open(): void {
    this.isOpen = true
    this.#opened()
  }

  #dispatch(message: ApiMessage): void {
    const { onEvent, problem } = this.#options
    const { id, isResult, result, error } = message
    if (message.event !== undefined) onEvent?.(message)
    const pending = isResult ? this.#pending.get(id) : undefined
    if (!pending) return
    this.#pending.delete(id)
    if (error === undefined) pending.resolve(result)
    else pending.reject(problem('rejected', { reason: shown(this.#withoutToken(error)) }))
  }

  /** Ends the connection after a response that opens no WebSocket, such as a redirect. */
  #endAfter(response: IncomingMessage): void {
    response.destroy()
    this.#end(this.#options.problem('other-server', { reason: `HTTP ${response.statusCode}` }))
  }

  /** A server may send back what it received. */
  #withoutToken(text: string): string {
    const { token } = this.#options
    return token ? text.replaceAll(token, '…') : text
  }
}
