import { withinTime } from '../../../runtime/wait.ts'
import { type DeviceProblem, deviceError } from '../../network/device.ts'
import type { CastConnection } from './cast-connection.ts'
import { type CastMessage, namespaces } from './cast-message.ts'
import { type MediaStatus, mediaStatusesIn } from './media.ts'
import { type App, statusIn, stopApp } from './receiver.ts'

/** After an abort, the announcer does not wait much longer. */
const stopLimitMs = 1_000

/** A sound that the default media receiver was given. */
export class LoadedSound {
  /** Resolves when it was played to its end; rejects when the device ends it earlier, or cannot play it. */
  readonly ended: Promise<void>
  /** Whether somebody plays something else meanwhile. */
  isTakenOver = false
  readonly #connection: CastConnection
  readonly #app: App
  readonly #onPlaying: () => void
  readonly #leave: () => void
  readonly #loadId: number
  #mediaSessionId: number | undefined
  #isPlaying = false
  #isOver = false
  #settle!: { resolve(): void; reject(error: unknown): void }

  /** @param onPlaying Called once. */
  constructor(connection: CastConnection, app: App, media: object, onPlaying: () => void) {
    this.#connection = connection
    this.#app = app
    this.#onPlaying = onPlaying
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.ended.catch(() => {})
    this.#leave = connection.onMessage((message) => this.#note(message))
    const { transportId, sessionId } = app
    const request = { type: 'LOAD', sessionId, media, autoplay: true }
    this.#loadId = connection.send(transportId, namespaces.media, request)
  }

  /**
   * Makes the device silent, unless it is.
   * @param isFollowed Whether music is loaded next, which ends a sound that the device has not loaded yet.
   */
  async stop(isFollowed: boolean): Promise<void> {
    if (this.#isOver || !this.#connection.isOpen) return this.#leave()
    const loaded = () => this.#mediaSessionId
    const mediaSessionId =
      loaded() ?? (await this.#connection.until(loaded, stopLimitMs).catch(() => undefined))
    this.#leave()
    const request = { type: 'STOP', mediaSessionId }
    const { transportId } = this.#app
    if (mediaSessionId === undefined && isFollowed) return
    const stopping: Promise<unknown> =
      mediaSessionId === undefined
        ? stopApp(this.#connection, this.#app)
        : this.#connection.request(transportId, namespaces.media, request)
    await withinTime(stopLimitMs, stopping, () =>
      deviceError(this.#connection.device, 'no-response'),
    )
  }

  #note({ source, namespace, payload }: CastMessage): void {
    const { sessionId, transportId } = this.#app
    const status = statusIn(payload)
    const isClosed = namespace === namespaces.connection && payload['type'] === 'CLOSE'
    if (status && status.app?.sessionId !== sessionId) this.#takeOver()
    if (source === transportId && isClosed) this.#takeOver()
    if (payload['requestId'] === this.#loadId) this.#noteLoaded(payload)
    for (const each of mediaStatusesIn(payload)) {
      if (each.mediaSessionId === this.#mediaSessionId) this.#noteStatus(each)
    }
  }

  #noteLoaded(payload: CastMessage['payload']): void {
    const [status] = mediaStatusesIn(payload)
    this.#mediaSessionId = status?.mediaSessionId
    const { type, detailedErrorCode: code } = payload
    if (!status) this.#fail('rejected', `${type} ${code ?? ''}`)
  }

  #noteStatus({ state, idleReason }: MediaStatus): void {
    if (state === 'PLAYING' && !this.#isPlaying) {
      this.#isPlaying = true
      this.#onPlaying()
    }
    if (state !== 'IDLE' || idleReason === '') return
    if (idleReason === 'ERROR') this.#fail('rejected', idleReason)
    else if (idleReason === 'INTERRUPTED') this.#takeOver()
    else if (idleReason !== 'FINISHED') this.#fail('ended-early')
    else {
      this.#isOver = true
      this.#settle.resolve()
    }
  }

  #takeOver(): void {
    this.isTakenOver = true
    this.#fail('ended-early')
  }

  #fail(problem: DeviceProblem, reason?: string): void {
    this.#isOver = true
    this.#settle.reject(deviceError(this.#connection.device, problem, reason))
  }
}
