import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'
import { keys } from '../../../secrets/keys.ts'
import frames from './frames.json' with { type: 'json' }

export type Frame = Record<string, unknown>

/** What a real Home Assistant has sent, by the command. */
export const recordedFrames: Readonly<Record<string, readonly Frame[]>> = frames

export interface RecordedHouse {
  address: string
  token: string
  /** A media player that plays, and one that does not exist. */
  player: string
  satellite: string
  /** A sound of about a second. */
  sound: string
}

/**
 * Sends Home Assistant the commands that the driver sends, and a few that fail.
 * @returns what it sent, by the command.
 */
export async function recordFrames(house: RecordedHouse): Promise<Record<string, Frame[]>> {
  const { address, player, satellite, sound, token } = house
  const rejected = await FrameRecorder.open(address, keys.wrong)
  const recorder = await FrameRecorder.open(address, token)
  const call = (service: string, entity: string, data: object = {}) => {
    const [domain, name] = service.split('.')
    const target = { entity_id: entity }
    return recorder.send({
      type: 'call_service',
      domain,
      service: name,
      service_data: data,
      target,
    })
  }
  const follow = (id: string) =>
    recorder.send({ type: 'subscribe_entities', entity_ids: [id] }, ({ type }) => type === 'event')
  const isPlaying = (frame: Frame) => JSON.stringify(frame).includes('"s":"playing"')
  const frames = {
    'wrong token': rejected.frames,
    token: [...recorder.frames],
    'follow nobody': await follow('media_player.nobody'),
    follow: await follow(player),
    list: await recorder.send(
      { type: 'render_template', template: "{{ [['a', 1]] | to_json }}" },
      ({ type }) => type === 'event',
    ),
    play: await Promise.all([
      recorder.until(isPlaying),
      call('media_player.play_media', player, {
        media_content_id: sound,
        media_content_type: 'music',
      }),
    ]).then(([changed, results]) => [changed, ...results]),
    volume: await call('media_player.volume_set', player, { volume_level: 0.5 }),
    refresh: await call('homeassistant.update_entity', player),
    stop: await call('media_player.media_stop', player),
    'no service': await call('media_player.dance', player),
    'busy satellite': await Promise.all([
      call('assist_satellite.announce', satellite, { media_id: sound, preannounce: false }),
      call('assist_satellite.announce', satellite, { media_id: sound, preannounce: false }),
    ]).then((results) => results.flat()),
    'no command': await recorder.send({ type: 'dance' }),
  }
  recorder.close()
  return frames
}

/** The fields of frames and the types of their values. Ids name fields of their own: they all count as one. */
export function shapesOf(frames: Readonly<Record<string, readonly Frame[]>>): unknown {
  const shapes = Object.entries(frames).map(([command, sent]) => [command, sent.map(shapeOf)])
  return Object.fromEntries(shapes)
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const fields = Object.entries(value).map(([name, inner]) => [
    name.includes('.') ? 'entity' : name,
    isContext(name, inner) ? 'context' : shapeOf(inner),
  ])
  return Object.fromEntries(fields)
}

/** Who caused a state: an id, or, for a user, an object with one. */
function isContext(name: string, value: unknown): boolean {
  return name === 'c' && (typeof value === 'string' || 'id' in (value as Frame))
}

class FrameRecorder {
  readonly frames: Frame[] = []
  readonly #socket: WebSocket
  readonly #events = new EventEmitter().setMaxListeners(0)
  #lastId = 0

  private constructor(address: string) {
    this.#socket = new WebSocket(`${address.replace('http', 'ws')}/api/websocket`)
    this.#socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame
      this.frames.push(frame)
      this.#events.emit('frame', frame)
    })
  }

  /** Connects, and waits for what the token brings. */
  static async open(address: string, token: string): Promise<FrameRecorder> {
    const recorder = new FrameRecorder(address)
    await recorder.until(({ type }) => type === 'auth_required')
    const outcome = recorder.until(({ type }) => type === 'auth_ok' || type === 'auth_invalid')
    recorder.#socket.send(JSON.stringify({ type: 'auth', access_token: token }))
    await outcome
    return recorder
  }

  /** Several frames may come at once. */
  until(isWanted: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const note = (frame: Frame) => {
        if (!isWanted(frame)) return
        this.#events.off('frame', note)
        resolve(frame)
      }
      this.#events.on('frame', note)
    })
  }

  /**
   * Sends a command.
   * @param isLast Ends the wait. Default: the result.
   * @returns the frames with its id until then.
   */
  async send(command: Frame, isLast: (frame: Frame) => boolean = isResult): Promise<Frame[]> {
    this.#lastId += 1
    const id = this.#lastId
    const own: Frame[] = []
    const over = this.until((frame) => {
      if (frame['id'] === id) own.push(frame)
      return frame['id'] === id && isLast(frame)
    })
    this.#socket.send(JSON.stringify({ ...command, id }))
    await over
    return own
  }

  close(): void {
    this.#socket.close()
  }
}

function isResult({ type }: Frame): boolean {
  return type === 'result'
}
