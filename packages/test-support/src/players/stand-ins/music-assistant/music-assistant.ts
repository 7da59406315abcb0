import type { WebSocket } from 'ws'
import { keys } from '../../../secrets/keys.ts'
import { startSocketApi } from '../socket-api.ts'
import frames from './frames.json' with { type: 'json' }
import {
  type Behaviour,
  MusicAssistantPlayer,
  type PlayerOptions,
} from './music-assistant-player.ts'

/** The messages that the package `music-assistant-models` makes, by what they are. */
export const modelMessages = frames

export interface MusicAssistantStandIn {
  address: string
  /** The token that it accepts. */
  token: string
  player(id: string): MusicAssistantPlayer
  /** The commands that clients sent, but not those with a token. */
  commands: Message[]
  /** Ends all connections, as a restart does. */
  restart(): void
  close(): Promise<void>
}

type Message = Record<string, unknown>

/** The numbers of errors (music_assistant_models/errors.py, read 2026-11). */
const errorCodes = { failed: 11, unknown: 12, unauthenticated: 20, wrongToken: 23 }

/**
 * A stand-in for the WebSocket API of Music Assistant, with players that play for real. It does what the source of Music Assistant
 * 2.11 does, and its messages are those that the package `music-assistant-models` makes: `frames.json` keeps them, and tests
 * compare both, and let the real client of Music Assistant use it.
 * @param players By their ids.
 */
export async function startMusicAssistant(
  players: Readonly<Record<string, Behaviour>>,
  options: Omit<PlayerOptions, 'onChange'>,
): Promise<MusicAssistantStandIn> {
  const commands: Message[] = []
  const sessions = new Set<Session>()
  const all = new Map(
    Object.entries(players).map(([id, behaviour]) => {
      const onChange = () => {
        for (const session of sessions) session.notify(id)
      }
      return [id, new MusicAssistantPlayer(id, behaviour, { ...options, onChange })]
    }),
  )
  const api = await startSocketApi('/ws', sessions, (socket) => new Session(socket, all, commands))
  return {
    address: api.address,
    token: keys.service,
    player: (id) => all.get(id)!,
    commands,
    restart: api.restart,
    async close() {
      await Promise.all([...all.values()].map((player) => player.close()))
      await api.close()
    },
  }
}

/** A connection of a client. */
class Session {
  readonly #socket: WebSocket
  readonly #players: ReadonlyMap<string, MusicAssistantPlayer>
  readonly #commands: Message[]
  #isAuthorised = false

  constructor(
    socket: WebSocket,
    players: ReadonlyMap<string, MusicAssistantPlayer>,
    commands: Message[],
  ) {
    this.#socket = socket
    this.#players = players
    this.#commands = commands
    this.#send(frames.serverInfo)
    socket.on('message', (data) => void this.#handle(JSON.parse(String(data)) as Message))
  }

  /** Reports a change of a player to a client that is authorised. */
  notify(id: string): void {
    if (!this.#isAuthorised) return
    this.#send({ ...frames.event, object_id: id, data: this.#players.get(id)!.state })
  }

  async #handle(message: Message): Promise<void> {
    const { message_id: id, command, args } = message
    const fail = (code: number, details: string) =>
      this.#send({ ...frames.error, message_id: id, error_code: code, details })
    const succeed = (result: unknown) => this.#send({ ...frames.result, message_id: id, result })
    const given = (args ?? {}) as Message
    if (command === 'auth') {
      this.#isAuthorised = given['token'] === keys.service
      if (this.#isAuthorised) succeed({ authenticated: true, user: frames.user })
      else fail(errorCodes.wrongToken, 'Invalid or expired token')
      return
    }
    this.#commands.push(message)
    const run = handlers[String(command)]
    if (!run) return fail(errorCodes.unknown, `Invalid command: ${command}`)
    if (!this.#isAuthorised)
      return fail(
        errorCodes.unauthenticated,
        'Authentication required. Please send auth command first.',
      )
    try {
      succeed((await run(this.#players, given)) ?? null)
    } catch (error) {
      fail(errorCodes.failed, (error as Error).message)
    }
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }
}

type Handler = (players: ReadonlyMap<string, MusicAssistantPlayer>, args: Message) => unknown

const playerOf = (players: ReadonlyMap<string, MusicAssistantPlayer>, id: unknown) =>
  players.get(String(id))

/** What the driver calls, and what the real client calls when it connects. */
const handlers: Readonly<Record<string, Handler>> = {
  'players/all': (players) => [...players.values()].map(({ state }) => state),
  'players/get': (players, args) => playerOf(players, args['player_id'])?.state,
  'players/cmd/play_announcement': (players, args) =>
    playerOf(players, args['player_id'])?.announce(String(args['url']), args['volume_level']),
  'players/cmd/volume_set': (players, args) =>
    playerOf(players, args['player_id'])?.setVolume(Number(args['volume_level'])),
  'player_queues/stop': (players, args) => playerOf(players, args['queue_id'])?.stopQueue(),
  providers: () => [],
  'providers/manifests': () => [],
  'player_queues/all': () => [],
  'dashboard/dashboards': () => [],
  'dashboard/sessions': () => [],
}
