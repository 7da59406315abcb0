import type { Socket } from 'node:net'
import { encodeFrame, encodeStreamCommand, type Frame } from './frames.ts'

/** Players leave a server that is silent for half a minute. */
const heartbeatMs = 5_000
/** A player that does not read its messages. */
const maxWaitingBytes = 64 * 1024
const maxNameCharacters = 64

/** What a player reports about its stream. */
export interface PlayerEvent {
  /** `STMc`: connected, `STMs`: started, `STMu`: ran out of samples, `STMn`: cannot decode. */
  name: string
  /** How much of the stream was heard. */
  elapsedMs: number
}

const elapsedAt = 43
const statusBytes = elapsedAt + 4

/** A player that is connected. */
export class SlimPlayer {
  /** Its MAC address, such as `00:04:20:12:34:56`. */
  readonly id: string
  name = ''
  readonly connectedAt = performance.now()
  /** Aborted when it is disconnected. */
  readonly gone: AbortSignal
  readonly #socket: Socket
  readonly #listeners = new Set<(event: PlayerEvent) => void>()
  readonly #heartbeat: NodeJS.Timeout

  /** @param hello The payload of its first message. */
  constructor(socket: Socket, hello: Buffer) {
    this.id = macOf(hello)
    this.#socket = socket
    const gone = new AbortController()
    this.gone = gone.signal
    socket.on('close', () => {
      clearInterval(this.#heartbeat)
      gone.abort()
    })
    this.#heartbeat = setInterval(() => this.send(encodeStreamCommand('t')), heartbeatMs).unref()
    this.send(encodeFrame('vers', Buffer.from('7.9')))
    this.send(encodeStreamCommand('q'))
    // Its name, and its output on.
    this.send(encodeFrame('setd', Buffer.from([0])))
    this.send(encodeFrame('aude', Buffer.from([1, 1])))
  }

  receive({ operation, payload }: Frame): void {
    if (operation === 'SETD' && payload[0] === 0) {
      const [name = ''] = payload.toString('utf8', 1, 1 + 4 * maxNameCharacters).split('\0', 1)
      this.name = Array.from(name).slice(0, maxNameCharacters).join('')
    }
    if (operation !== 'STAT' || payload.length < statusBytes) return
    const event = {
      name: payload.toString('latin1', 0, 4),
      elapsedMs: payload.readUInt32BE(elapsedAt),
    }
    for (const listener of this.#listeners) listener(event)
  }

  /** Calls back for each event. @returns a function that ends that. */
  onEvent(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  send(frame: Buffer): void {
    if (!this.#socket.writable) return
    if (this.#socket.writableLength > maxWaitingBytes) this.disconnect()
    else this.#socket.write(frame)
  }

  disconnect(): void {
    this.#socket.destroy()
  }
}

/** Whether a message is the first one of a player. */
export function isHello({ operation, payload }: Frame): boolean {
  return operation === 'HELO' && payload.length >= 8
}

function macOf(hello: Buffer): string {
  const bytes = Array.from(hello.subarray(2, 8))
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}
