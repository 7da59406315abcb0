import { ServiceError } from '../../errors/service-error.ts'
import { isServiceFault, toServiceError } from '../../errors/to-service-error.ts'
import { InvalidEventError, type WyomingEvent } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import type { AppContext } from '../app/endpoint.ts'
import { describeToWyoming } from './info.ts'
import { WyomingListener } from './wyoming-listener.ts'
import { WyomingSpeaker } from './wyoming-speaker.ts'

type EventHandler = (event: WyomingEvent) => void | Promise<void>

/** Serves a client until one of the two closes the connection. */
export class ServedConnection {
  /** When the client sent its last event or, before that, connected. On the clock of `performance.now()`. */
  lastEventMs = performance.now()
  /** Resolves when all requests of the connection are served. */
  readonly served: Promise<void>
  readonly #connection: WyomingConnection
  readonly #service: AppContext
  readonly #listener: WyomingListener
  readonly #speaker: WyomingSpeaker
  #hasFailed = false

  constructor(connection: WyomingConnection, service: AppContext) {
    this.#connection = connection
    this.#service = service
    const fail = (error: unknown) => this.#fail(error)
    this.#listener = new WyomingListener(connection, service, fail)
    this.#speaker = new WyomingSpeaker(connection, service, fail)
    this.served = this.#serve()
  }

  get isBusy(): boolean {
    return this.#listener.isBusy || this.#speaker.isBusy
  }

  async #serve(): Promise<void> {
    const connection = this.#connection
    try {
      for await (const event of connection.events) {
        if (this.#hasFailed) return
        this.lastEventMs = performance.now()
        try {
          await this.#handlers.get(event.type)?.(event)
          await this.#speaker.hasRoom()
        } catch (error) {
          return await this.#fail(error)
        }
      }
      await this.#speaker.finish()
      connection.end()
    } catch (error) {
      if (error instanceof InvalidEventError) {
        return await this.#fail(new ServiceError('INVALID_ARGUMENT', error.message))
      }
      connection.destroy()
    } finally {
      this.#listener.close()
    }
  }

  /** Each by the type of its event. Others belong to other services, or to later versions of the protocol. */
  readonly #handlers = new Map<string, EventHandler>([
    ['describe', () => this.#send('info', describeToWyoming(this.#service))],
    ['ping', ({ data }) => this.#send('pong', data)],
    ['transcribe', ({ data }) => this.#listener.configure(data)],
    ['audio-start', ({ data }) => this.#listener.start(data)],
    ['audio-chunk', ({ data, payload }) => this.#listener.write(data, payload)],
    ['audio-stop', () => this.#listener.end()],
    ['synthesize', ({ data }) => this.#speaker.speak(data)],
    ['synthesize-start', ({ data }) => this.#speaker.startStream(data)],
    ['synthesize-chunk', ({ data }) => this.#speaker.pushText(data)],
    ['synthesize-stop', () => this.#speaker.endStream()],
  ])

  #send(type: string, data: WyomingEvent['data']): Promise<void> {
    return this.#connection.send({ type, data })
  }

  /** Closes the connection too: Home Assistant ignores errors, and would wait for ever for the end of the speech. */
  async #fail(error: unknown): Promise<void> {
    const connection = this.#connection
    if (this.#hasFailed || connection.closed.aborted) return
    this.#hasFailed = true
    if (isServiceFault(error)) this.#service.onFailure(error)
    const { message: text, code } = toServiceError(error)
    await connection.send({ type: 'error', data: { text, code } }).catch(() => {})
    connection.end()
  }
}
