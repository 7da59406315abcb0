import { ServiceError } from '../../errors/service-error.ts'
import { isServiceFault, toServiceError } from '../../errors/to-service-error.ts'
import { InvalidEventError, type WyomingEvent } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import type { AppContext } from '../endpoint.ts'
import { describeToWyoming } from './info.ts'
import { WyomingListener } from './wyoming-listener.ts'
import { WyomingSpeaker } from './wyoming-speaker.ts'

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
          await this.#receive(event)
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

  async #receive({ type, data, payload }: WyomingEvent): Promise<void> {
    const connection = this.#connection
    const listener = this.#listener
    const speaker = this.#speaker
    if (type === 'describe') {
      await connection.send({ type: 'info', data: describeToWyoming(this.#service) })
    } else if (type === 'ping') await connection.send({ type: 'pong', data })
    else if (type === 'transcribe') listener.configure(data)
    else if (type === 'audio-start') await listener.start(data)
    else if (type === 'audio-chunk') await listener.write(data, payload)
    else if (type === 'audio-stop') await listener.end()
    else if (type === 'synthesize') speaker.speak(data)
    else if (type === 'synthesize-start') speaker.startStream(data)
    else if (type === 'synthesize-chunk') await speaker.pushText(data)
    else if (type === 'synthesize-stop') speaker.endStream()
    // Other events belong to other services, or to later versions of the protocol.
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
