import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { keys } from '../../../secrets/keys.ts'
import { startSocketApi } from '../socket-api.ts'
import { type Behaviour, StandInDevice } from './home-assistant-device.ts'
import { recordedFrames } from './record-frames.ts'

const [authRequired, authOk] = recordedFrames['token']!
const [, authInvalid] = recordedFrames['wrong token']!
const [, rendered] = recordedFrames['list']!
const { listeners } = rendered!['event'] as Message

export interface HomeAssistantStandIn {
  address: string
  /** The token that it accepts. */
  token: string
  device(id: string): StandInDevice
  /** The messages that clients sent, but not the tokens. */
  commands: Record<string, unknown>[]
  /** Ends all connections, as a restart does. */
  restart(): void
  close(): Promise<void>
}

type Message = Record<string, unknown>

const services = [
  ...['play_media', 'media_stop', 'media_seek', 'volume_set', 'update_entity'],
  'announce',
]

/**
 * A stand-in for the WebSocket API of Home Assistant, with devices that play for real. Its messages are those that a real one
 * sent: `frames.json` keeps them, and tests compare both.
 * @param devices By their entity ids.
 * @param environment The sound server on which they play.
 */
export async function startStandIn(
  devices: Readonly<Record<string, Behaviour>>,
  environment: NodeJS.ProcessEnv,
): Promise<HomeAssistantStandIn> {
  const commands: Message[] = []
  const sessions = new Set<StandInSession>()
  const entities = new Map(
    Object.entries(devices).map(([id, behaviour]) => {
      const notify = () => {
        for (const session of sessions) session.notify(id)
      }
      return [id, new StandInDevice(id, behaviour, environment, notify)]
    }),
  )
  const api = await startSocketApi(
    '/api/websocket',
    sessions,
    (socket) => new StandInSession(socket, entities, commands),
  )
  return {
    address: api.address,
    token: keys.service,
    device: (id) => entities.get(id)!,
    commands,
    restart: api.restart,
    async close() {
      await Promise.all([...entities.values()].map((device) => device.stop()))
      await api.close()
    },
  }
}

/** A connection of a client. */
class StandInSession {
  readonly #socket: WebSocket
  readonly #entities: ReadonlyMap<string, StandInDevice>
  /** The subscription of each entity, with the state that the client knows. */
  readonly #followed = new Map<string, { subscription: unknown; known: Message }>()
  #isAuthorised = false

  constructor(
    socket: WebSocket,
    entities: ReadonlyMap<string, StandInDevice>,
    commands: Message[],
  ) {
    this.#socket = socket
    this.#entities = entities
    this.#send(authRequired!)
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      if (this.#isAuthorised) {
        commands.push(message)
        this.#handle(message)
      } else this.#authorise(message['access_token'])
    })
  }

  /** Reports what has changed in an entity. */
  notify(entityId: string): void {
    const followed = this.#followed.get(entityId)
    if (!followed) return
    const { subscription, known } = followed
    const now = stateOf(this.#entities.get(entityId)!)
    const event = { c: { [entityId]: changeBetween(known, now) } }
    followed.known = now
    this.#send({ id: subscription, type: 'event', event })
  }

  #authorise(token: unknown): void {
    this.#isAuthorised = token === keys.service
    if (this.#isAuthorised) this.#send(authOk!)
    else {
      this.#send(authInvalid!)
      this.#socket.close()
    }
  }

  #handle(message: Message): void {
    const { id, type } = message
    if (type === 'subscribe_entities') this.#subscribe(message)
    else if (type === 'call_service') void this.#call(message)
    else if (type === 'render_template') {
      this.#succeed(id, null)
      const result = [...this.#entities.values()].map(rowOf)
      this.#send({ id, type: 'event', event: { result, listeners } })
    } else this.#fail(id, 'unknown_command', { message: 'Unknown command.' })
  }

  #subscribe({ id, entity_ids: ids }: Message): void {
    this.#succeed(id, null)
    const added: Message = {}
    for (const entityId of ids as string[]) {
      const device = this.#entities.get(entityId)
      if (!device) continue
      const known = stateOf(device)
      this.#followed.set(entityId, { subscription: id, known })
      added[entityId] = known
    }
    this.#send({ id, type: 'event', event: { a: added } })
  }

  async #call({ id, domain, service, service_data: data, target }: Message): Promise<void> {
    const device = this.#entities.get(String((target as Message)['entity_id']))
    if (!services.includes(String(service))) return this.#failService(id, domain, service)
    try {
      await device?.call(String(service), (data ?? {}) as Message)
      this.#succeed(id, { context: { id: randomUUID(), parent_id: null, user_id: 'owner' } })
    } catch (error) {
      this.#fail(id, 'home_assistant_error', { message: (error as Error).message })
    }
  }

  #succeed(id: unknown, result: unknown): void {
    this.#send({ id, type: 'result', success: true, result })
  }

  #failService(id: unknown, domain: unknown, service: unknown): void {
    this.#fail(id, 'not_found', {
      message: `Service ${domain}.${service} not found.`,
      translation_key: 'service_not_found',
      translation_placeholders: { domain, service },
      translation_domain: 'homeassistant',
    })
  }

  #fail(id: unknown, code: string, about: Message): void {
    this.#send({ id, type: 'result', success: false, error: { code, ...about } })
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }
}

/** In the short form of `subscribe_entities`. */
function stateOf({ state, attributes }: StandInDevice): Message {
  const now = Date.now() / 1000
  return { s: state, a: attributes, c: randomUUID(), lc: now }
}

function changeBetween(before: Message, after: Message): Message {
  const [old, fresh] = [before['a'] as Message, after['a'] as Message]
  const changed = Object.entries(fresh).filter(([name, value]) => value !== old[name])
  const gone = Object.keys(old).filter((name) => !(name in fresh))
  return {
    '+': {
      ...(before['s'] !== after['s'] && { s: after['s'] }),
      lc: after['lc'],
      c: { user_id: 'owner', id: after['c'] },
      ...(changed.length > 0 && { a: Object.fromEntries(changed) }),
    },
    ...(gone.length > 0 && { '-': { a: gone } }),
  }
}

function rowOf({ id, attributes, features }: StandInDevice): unknown[] {
  return [id, attributes['friendly_name'], 'Kitchen', features]
}
