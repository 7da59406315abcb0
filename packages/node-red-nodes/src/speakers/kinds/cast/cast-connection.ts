import type { Socket } from 'node:net'
import { withinTime } from '../../../runtime/wait.ts'
import { type Device, deviceError } from '../../network/device.ts'
import { type FrameForm, readLengthFrames } from '../../network/length-frames.ts'
import { openEncryptedSocket } from '../../network/open-socket.ts'
import type { SpeakerError } from '../../speaker-error.ts'
import {
  type CastMessage,
  decodeMessage,
  encodeMessage,
  maxMessageBytes,
  namespaces,
} from './cast-message.ts'

const form: FrameForm = { headBytes: 4, lengthAt: 0, maxPayloadBytes: maxMessageBytes }
/** A device that does not read its messages. */
const maxWaitingBytes = 1024 * 1024
const us = 'sender-0'
/** The device itself; each application that it runs has a name of its own. */
export const receiver = 'receiver-0'

/** A connection to a Cast device. It does not come back by itself. */
export class CastConnection {
  readonly device: Device
  /** Rejects when the connection ends. */
  readonly ended: Promise<never>
  isOpen = true
  readonly #socket: Socket
  readonly #listeners = new Set<(message: CastMessage) => void>()
  readonly #heartbeat: NodeJS.Timeout
  #end!: (error: SpeakerError) => void
  #lastRequest = 0
  #heardAt = performance.now()

  private constructor(device: Device, socket: Socket) {
    this.device = device
    this.#socket = socket
    this.ended = new Promise((_resolve, reject) => {
      this.#end = (error) => {
        this.isOpen = false
        clearInterval(this.#heartbeat)
        socket.destroy()
        reject(error)
      }
    })
    this.ended.catch(() => {})
    this.#heartbeat = setInterval(() => this.#beat(), device.responseMs).unref()
    void this.#receive()
    this.join(receiver)
  }

  /** @throws {SpeakerError} when nothing accepts the connection; the reason of the signal after an abort. */
  static async open(device: Device, signal: AbortSignal): Promise<CastConnection> {
    return new CastConnection(device, await openEncryptedSocket(device, signal))
  }

  /** Begins to exchange messages with the device, or with an application. */
  join(destination: string): void {
    const payload = { type: 'CONNECT', origin: {}, userAgent: 'Parlando' }
    this.#send({ destination, namespace: namespaces.connection, payload })
  }

  /** Sends a request. @returns its number, which the response repeats. */
  send(destination: string, namespace: string, payload: object): number {
    this.#lastRequest += 1
    const requestId = this.#lastRequest
    this.#send({ destination, namespace, payload: { ...payload, requestId } })
    return requestId
  }

  /**
   * Sends a request, and waits for the response.
   * @throws {SpeakerError} when none comes in time.
   */
  request(
    destination: string,
    namespace: string,
    payload: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = this.send(destination, namespace, payload)
    return this.until(({ payload }) => (payload['requestId'] === id ? payload : undefined))
  }

  /**
   * Waits for a message.
   * @param pick returns undefined for others, or throws.
   * @param limitMs Default: that of the device.
   * @throws what `pick` throws; {@link SpeakerError} when the message does not come in time.
   */
  until<Result>(
    pick: (message: CastMessage) => Result | undefined,
    limitMs = this.device.responseMs,
  ): Promise<Result> {
    let leave = () => {}
    const picked = new Promise<Result>((resolve, reject) => {
      leave = this.onMessage((message) => {
        try {
          const result = pick(message)
          if (result !== undefined) resolve(result)
        } catch (error) {
          reject(error)
        }
      })
    })
    const late = () => deviceError(this.device, 'no-response')
    return withinTime(limitMs, Promise.race([picked, this.ended]), late).finally(() => leave())
  }

  /** Calls back for each message of the device. @returns a function that ends that. */
  onMessage(listener: (message: CastMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#end(deviceError(this.device, 'gone'))
  }

  async #receive(): Promise<void> {
    try {
      for await (const frame of readLengthFrames(this.#socket, form)) {
        const message = decodeMessage(frame.subarray(form.headBytes))
        if (!message) return this.#end(deviceError(this.device, 'other-protocol'))
        this.#heardAt = performance.now()
        this.#dispatch(message)
      }
      this.close()
    } catch (error) {
      const problem = error instanceof RangeError ? 'other-protocol' : 'gone'
      this.#end(deviceError(this.device, problem))
    }
  }

  #dispatch(message: CastMessage): void {
    const { namespace, source, payload } = message
    if (namespace === namespaces.heartbeat && payload['type'] === 'PING')
      this.#send({ destination: source, namespace, payload: { type: 'PONG' } })
    for (const listener of [...this.#listeners]) listener(message)
  }

  /** A device that loses its power or its network does not close the connection. */
  #beat(): void {
    const silentMs = performance.now() - this.#heardAt
    if (silentMs > 2 * this.device.responseMs) this.#end(deviceError(this.device, 'no-response'))
    else
      this.#send({
        destination: receiver,
        namespace: namespaces.heartbeat,
        payload: { type: 'PING' },
      })
  }

  #send(message: Omit<CastMessage, 'source'>): void {
    if (!this.#socket.writable) return
    if (this.#socket.writableLength > maxWaitingBytes) this.close()
    else this.#socket.write(frameOf(message))
  }
}

function frameOf(message: Omit<CastMessage, 'source'>): Buffer {
  const bytes = encodeMessage({ ...message, source: us })
  const length = Buffer.alloc(form.headBytes)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
