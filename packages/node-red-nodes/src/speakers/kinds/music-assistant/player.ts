import { EventEmitter, once } from 'node:events'
import { Connection, type ConnectionOptions } from './music-assistant-connection.ts'
import { type PlayerState, readPlayer } from './player-state.ts'
import { problem } from './speaker-problem.ts'

export interface PlayerOptions extends ConnectionOptions {
  id: string
}

/** A player of Music Assistant, whose state is followed until it is closed. */
export class Player {
  readonly #connection: Connection
  readonly #events: EventEmitter
  #state: PlayerState

  private constructor(connection: Connection, events: EventEmitter, state: PlayerState) {
    this.#connection = connection
    this.#events = events
    this.#state = state
    events.on('state', (value: unknown) => {
      this.#state = readPlayer(value) ?? { ...this.#state, isAvailable: false }
      events.emit('change')
    })
  }

  /**
   * Connects, and reads the state: Music Assistant reports success for what it is to play on a player that is away.
   * @throws {SpeakerError} if it is not available, or the reason of the signal.
   */
  static async open(options: PlayerOptions, signal: AbortSignal): Promise<Player> {
    const { RED, id } = options
    const events = new EventEmitter()
    const connection = await Connection.open(options, signal, ({ name, id: about, data }) => {
      if (about === id && name === 'player_updated') events.emit('state', data)
      if (about === id && name === 'player_removed') events.emit('state', undefined)
    })
    try {
      const state = readPlayer(await connection.request('players/get', { player_id: id }))
      signal.throwIfAborted()
      if (!state) throw problem(RED, 'unknown-player', { player: id })
      if (!state.isAvailable) throw problem(RED, 'unavailable', { name: state.name })
      return new Player(connection, events, state)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** The state that Music Assistant last reported. */
  get state(): PlayerState {
    return this.#state
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /** Rejects when the connection ends. */
  get ended(): Promise<never> {
    return this.#connection.ended
  }

  /**
   * Plays an address as an announcement, without Music Assistant's own chime.
   * @param volume 0 to 100. Default: what Music Assistant is set to.
   * @returns when it has ended, and the player does what it did before.
   */
  async announce(url: string, volume: number | undefined): Promise<void> {
    const args = { player_id: this.#state.id, url, pre_announce: false }
    const volumeLevel = volume !== undefined && { volume_level: volume }
    const command = 'players/cmd/play_announcement'
    await this.#connection.request(command, { ...args, ...volumeLevel }, Infinity)
  }

  /** Ends what plays. `players/cmd/stop` would wait for the end of the announcement, since Music Assistant 2.9. */
  async stop(): Promise<void> {
    await this.#connection.request('player_queues/stop', { queue_id: this.#state.id })
  }

  /** Resolves when the state meets a condition. @throws the reason of the signal. */
  async until(isMet: (state: PlayerState) => boolean, signal: AbortSignal): Promise<void> {
    while (!isMet(this.#state)) {
      signal.throwIfAborted()
      // An abort makes it reject with an error of its own.
      await once(this.#events, 'change', { signal }).catch(() => {})
    }
  }

  close(): void {
    this.#connection.close()
  }
}
