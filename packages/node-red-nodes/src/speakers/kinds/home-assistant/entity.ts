import { EventEmitter, once } from 'node:events'
import { unlessAborted, withinTime } from '../../../runtime/wait.ts'
import { responseLimitMs } from '../../network/api-socket.ts'
import { type Attributes, applyEvent, type EntityState, readState } from './entity-state.ts'
import {
  HomeAssistantConnection,
  type HomeAssistantConnectionOptions,
} from './home-assistant-connection.ts'
import { problem } from './speaker-problem.ts'

export interface EntityOptions extends HomeAssistantConnectionOptions {
  /** An id such as `media_player.kitchen`. */
  id: string
}

/** A media player or a satellite of Home Assistant, whose state the driver follows. It connects again when it is used. */
export class Entity {
  readonly id: string
  /** 0 to 1, as last reported: a device that is off may report none. */
  volume: number | undefined
  readonly #options: EntityOptions
  readonly #events = new EventEmitter()
  readonly #closing = new AbortController()
  #connection: HomeAssistantConnection | undefined
  #opening: Promise<HomeAssistantConnection> | undefined
  #attributes: Attributes | undefined

  constructor(options: EntityOptions) {
    this.id = options.id
    this.#options = options
  }

  /** The state that Home Assistant last reported. */
  get state(): EntityState | undefined {
    return this.#attributes && readState(this.#attributes)
  }

  /** The version of Home Assistant, as numbers: year and month. */
  get version(): readonly [year: number, month: number] {
    const [year = 0, month = 0] = (this.#connection?.version ?? '').split('.').map(Number)
    return [year, month]
  }

  get isOpen(): boolean {
    return this.#connection?.isOpen ?? false
  }

  /** Rejects when the connection ends. */
  get ended(): Promise<never> {
    return this.#connection?.ended ?? Promise.reject(this.#lost())
  }

  /** Connects, unless it is connected, and waits for the state. @throws {SpeakerError} or the reason of the signal. */
  async open(signal: AbortSignal): Promise<EntityState> {
    if (!this.#connection?.isOpen) {
      this.#opening ??= this.#connect().finally(() => {
        this.#opening = undefined
      })
      await unlessAborted(this.#opening, signal)
    }
    const { state } = this
    if (!state) throw problem(this.#options.RED, 'unknown-entity', { entity: this.id })
    return state
  }

  /**
   * Calls a service of Home Assistant for this entity.
   * @param service Such as `media_player.volume_set`.
   * @param limitMs How long it may take. Default: 5 s.
   * @throws {SpeakerError}
   */
  async call(service: string, data: object = {}, limitMs?: number): Promise<void> {
    if (!this.#connection) throw this.#lost()
    const [domain, name] = service.split('.')
    const command = {
      type: 'call_service',
      domain,
      service: name,
      service_data: data,
      target: { entity_id: this.id },
    }
    await this.#connection.request(command, limitMs)
  }

  /** Has Home Assistant ask the device for its state, which it does by itself every ten seconds or more rarely. */
  refresh(): Promise<void> {
    return this.call('homeassistant.update_entity')
  }

  /** Resolves when the state meets a condition. @throws the reason of the signal. */
  async until(isMet: (state: EntityState) => boolean, signal: AbortSignal): Promise<void> {
    while (!this.state || !isMet(this.state)) {
      signal.throwIfAborted()
      // An abort makes it reject with an error of its own.
      await once(this.#events, 'change', { signal }).catch(() => {})
    }
  }

  close(): void {
    this.#closing.abort(this.#lost())
    this.#connection?.close()
  }

  async #connect(): Promise<HomeAssistantConnection> {
    const connection = await HomeAssistantConnection.open(this.#options, this.#closing.signal)
    this.#attributes = undefined
    this.#connection = connection
    try {
      await this.#follow(connection)
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  }

  /** Resolves with the first state, also if there is no such entity. */
  async #follow(connection: HomeAssistantConnection): Promise<void> {
    let note = () => {}
    const first = new Promise<void>((resolve) => {
      note = resolve
    })
    const command = { type: 'subscribe_entities', entity_ids: [this.id] }
    await connection.subscribe(command, (event) => {
      this.#attributes = applyEvent(this.id, this.#attributes, event)
      this.volume = this.state?.volume ?? this.volume
      this.#events.emit('change')
      note()
    })
    const { RED, server, limitMs = responseLimitMs } = this.#options
    const problemNow = () => problem(RED, 'no-response', { address: server.address })
    await withinTime(limitMs, Promise.race([first, connection.ended]), problemNow)
  }

  #lost() {
    const { RED, server } = this.#options
    return problem(RED, 'lost', { address: server.address })
  }
}
