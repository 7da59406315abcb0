import type { Socket, SocketReceiver } from '../../http/socket.ts'
import type { Sink, StreamControl } from '../../streams/sink.ts'

export interface LastingSocketOptions {
  open(receiver: SocketReceiver): Promise<Socket>
  /** The messages that begin a connection. */
  greeting(): string[]
  onMessage(message: string, socket: Socket): void
  /** The service has closed the connection normally. */
  onEnd(): void
  onError(error: unknown): void
  /** The connection was lost. @returns whether to open another one. */
  onLost(error: unknown): boolean
  /** Another connection is open. */
  onReopened(): void
}

/** A socket that is opened again when its connection is lost. */
export interface LastingSocket extends StreamControl {
  /** The `X-Request-Id` of the connection; `undefined` while there is none. */
  readonly requestId: string | undefined
  /** The size of the messages that wait for the connection. */
  readonly waitingBytes: number
  /** Sends a message, or keeps it until there is a connection. */
  send(message: string): void
  /** Resolves when the connection takes more messages. */
  drained(): Promise<void>
}

/** Opens the first connection at once. It calls back later only. */
export function createLastingSocket(options: LastingSocketOptions): LastingSocket {
  let socket: Socket | undefined
  let opening: Promise<unknown> | undefined
  let unsent: string[] = []
  let isPaused = false
  let isClosed = false

  const receive = (opened: Socket, onOpen?: () => void): Sink<string> => {
    socket = opened
    if (isPaused) opened.pause()
    for (const message of [...options.greeting(), ...unsent.splice(0)]) opened.send(message)
    onOpen?.()
    return {
      next: (message) => options.onMessage(message, opened),
      end: options.onEnd,
      error(error) {
        socket = undefined
        if (options.onLost(error)) connect(options.onReopened)
        else options.onError(error)
      },
    }
  }
  const connect = (onOpen?: () => void) => {
    opening = options
      .open((opened) => receive(opened, onOpen))
      .catch((error: unknown) => isClosed || options.onError(error))
  }
  connect()

  return {
    get requestId() {
      return socket?.requestId
    },
    get waitingBytes() {
      const unsentBytes = unsent.reduce((total, { length }) => total + length, 0)
      return unsentBytes + (socket?.waitingBytes ?? 0)
    },
    send(message) {
      if (socket) socket.send(message)
      else if (!isClosed) unsent.push(message)
    },
    async drained() {
      await opening
      await socket?.drained()
    },
    pause() {
      isPaused = true
      socket?.pause()
    },
    resume() {
      isPaused = false
      socket?.resume()
    },
    close() {
      isClosed = true
      unsent = []
      socket?.close()
    },
  }
}
