import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import {
  type CastMessage,
  decodeMessage,
  encodeMessage,
  maxMessageBytes,
  namespaces,
} from '../../../../../node-red-nodes/src/speakers/kinds/cast/cast-message.ts'
import { readLengthFrames } from '../../../../../node-red-nodes/src/speakers/network/length-frames.ts'
import { freePort } from '../../../servers/addresses.ts'
import { makeCertificate } from '../../../servers/certificate.ts'
import { type CastBehaviour, CastDevice } from './cast-device.ts'

/**
 * A stand-in for a Cast device that plays for real. `test/systems/cast.systems.test.ts` proves with an independent client that it
 * behaves as one.
 */
export interface CastStandIn {
  address: string
  port: number
  device: CastDevice
  /** The payloads that clients sent, apart from heartbeats. */
  received: CastMessage['payload'][]
  /** How often clients have connected. */
  connections(): number
  /** Plays a file in the default media receiver, as a phone does. */
  playMusic(file: string): Promise<void>
  /** Says nothing more, as a device that lost its network. */
  freeze(): void
  /** Ends all connections, and plays on. */
  disconnect(): void
  /** Ends it as a power failure does. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

type Fields = Record<string, unknown>

const defaultReceiver = 'CC1AD845'
const receiver = 'receiver-0'

export async function startCastDevice(
  environment: NodeJS.ProcessEnv,
  behaviour: CastBehaviour = 'plays',
): Promise<CastStandIn> {
  const sessions = new Set<CastSession>()
  const received: CastMessage['payload'][] = []
  const state = { isFrozen: false, connections: 0 }
  const device = new CastDevice(behaviour, environment, (mediaStatus) => {
    for (const session of sessions) session.notify(mediaStatus)
  })
  const port = await freePort()
  const server = createServer(makeCertificate(), (socket) => {
    const session = new CastSession(socket, device, ({ namespace, payload }) => {
      if (namespace !== namespaces.heartbeat) received.push(payload)
      return !state.isFrozen
    })
    sessions.add(session)
    state.connections += 1
    socket.on('close', () => sessions.delete(session))
  })
  server.on('tlsClientError', () => {})
  const start = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const disconnect = () => {
    for (const session of sessions) session.destroy()
  }
  const kill = async () => {
    await device.end()
    disconnect()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  await start()
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    port,
    device,
    received,
    connections: () => state.connections,
    async playMusic(file) {
      await device.launch(defaultReceiver)
      const media = { contentId: file, contentType: 'audio/mpeg', streamType: 'BUFFERED' }
      await device.load(media, 0)
    },
    freeze() {
      state.isFrozen = true
    },
    disconnect,
    kill,
    start,
    close: kill,
  }
}

/** A connection of a client. */
class CastSession {
  readonly #socket: TLSSocket
  readonly #device: CastDevice
  readonly #onMessage: (message: CastMessage) => boolean
  /** The names that the client has connected to. */
  readonly #joined = new Set<string>()

  /** @param onMessage Says whether the device still responds. */
  constructor(socket: TLSSocket, device: CastDevice, onMessage: (message: CastMessage) => boolean) {
    this.#socket = socket
    this.#device = device
    this.#onMessage = onMessage
    socket.on('error', () => {})
    this.#receive().catch(() => socket.destroy())
  }

  /** Reports a new status to the client. */
  notify(mediaStatus?: object): void {
    const { app, status } = this.#device
    if (!mediaStatus && this.#joined.has(receiver))
      this.#send(receiver, namespaces.receiver, { type: 'RECEIVER_STATUS', requestId: 0, status })
    if (mediaStatus && app && this.#joined.has(app.transportId))
      this.#sendMediaStatus(0, [mediaStatus])
  }

  destroy(): void {
    this.#socket.destroy()
  }

  async #receive(): Promise<void> {
    const form = { headBytes: 4, lengthAt: 0, maxPayloadBytes: maxMessageBytes }
    for await (const frame of readLengthFrames(this.#socket, form)) {
      const message = decodeMessage(frame.subarray(form.headBytes))
      if (!message) throw new Error('malformed message')
      if (this.#onMessage(message)) await this.#handle(message)
    }
  }

  async #handle({ destination, namespace, payload }: CastMessage): Promise<void> {
    const { type } = payload
    if (namespace === namespaces.heartbeat && type === 'PING')
      return this.#send(destination, namespace, { type: 'PONG' })
    if (namespace === namespaces.connection) {
      if (type === 'CONNECT') this.#joined.add(destination)
      else this.#joined.delete(destination)
    }
    // A device ignores those that have not connected.
    if (!this.#joined.has(destination)) return
    if (namespace === namespaces.receiver) await this.#handleReceiver(payload)
    if (namespace === namespaces.media) await this.#handleMedia(payload)
  }

  async #handleReceiver(payload: CastMessage['payload']): Promise<void> {
    const { type, requestId, appId, volume, sessionId } = payload
    const device = this.#device
    if (type === 'LAUNCH' && device.behaviour === 'cannot-launch') {
      const error = { type: 'LAUNCH_ERROR', requestId, reason: 'NOT_FOUND' }
      return this.#send(receiver, namespaces.receiver, error)
    }
    if (type === 'LAUNCH') await device.launch(String(appId))
    if (type === 'STOP' && sessionId === device.app?.sessionId) await device.end()
    const { level } = (volume ?? {}) as { level?: number }
    const isSofter = level !== undefined && level < device.volume
    if (type === 'SET_VOLUME' && level !== undefined) device.setVolume(level)
    if (isSofter && device.behaviour === 'loses-connection') return this.destroy()
    const { status } = device
    this.#send(receiver, namespaces.receiver, { type: 'RECEIVER_STATUS', requestId, status })
  }

  async #handleMedia(payload: CastMessage['payload']): Promise<void> {
    const { type, requestId, media, currentTime, mediaSessionId, autoplay } = payload
    const device = this.#device
    const seconds = Number(currentTime ?? 0)
    if (type === 'LOAD' && device.behaviour === 'hangs') return
    if (type === 'LOAD' && device.behaviour === 'cannot-load') {
      const { transportId } = device.app!
      const error = { type: 'LOAD_FAILED', requestId, itemId: 1, detailedErrorCode: 104 }
      return this.#send(transportId, namespaces.media, error)
    }
    if (type === 'LOAD' && autoplay === false) device.pause(media as Fields, seconds)
    else if (type === 'LOAD') await device.load(media as Fields, seconds)
    const isPresent = device.mediaStatus[0]?.['mediaSessionId'] === mediaSessionId
    if (type === 'STOP' && isPresent) await device.stop()
    this.#sendMediaStatus(requestId, device.mediaStatus)
  }

  #sendMediaStatus(requestId: unknown, status: readonly object[]): void {
    const { app } = this.#device
    if (!app) return
    const payload = { type: 'MEDIA_STATUS', status, requestId }
    this.#send(app.transportId, namespaces.media, payload)
  }

  #send(source: string, namespace: string, payload: object): void {
    const message = { source, destination: '*', namespace, payload: payload as never }
    const bytes = encodeMessage(message)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    if (this.#socket.writable) this.#socket.write(Buffer.concat([length, bytes]))
  }
}
