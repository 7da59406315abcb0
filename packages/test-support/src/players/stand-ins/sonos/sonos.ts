import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { promisify } from 'node:util'
import { type WebSocket, WebSocketServer } from 'ws'
import { freePort } from '../../../servers/addresses.ts'
import { makeCertificate } from '../../../servers/certificate.ts'
import { type SonosBehaviour, SonosDevice, type StandInClip } from './sonos-device.ts'

type Fields = Record<string, unknown>

/**
 * A stand-in for a player of Sonos, with its local API, that plays for real. `test/systems/sonos.systems.test.ts` proves with
 * independent clients that it behaves as one.
 */
export interface SonosStandIn {
  address: string
  device: SonosDevice
  /** The headers and the options of the commands that clients sent. */
  received: [header: Fields, options: Fields][]
  /** Plays a file as music. */
  playMusic(file: string): void
  /** Ends it as a power failure does. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface SonosOptions {
  environment: NodeJS.ProcessEnv
  behaviour?: SonosBehaviour
  /** Default: a free one. */
  port?: number
}

const apiKey = '123e4567-e89b-12d3-a456-426655440000'
const subprotocol = 'v1.api.smartspeaker.audio'
const householdId = 'Sonos_household'

export async function startSonosPlayer(options: SonosOptions): Promise<SonosStandIn> {
  const { environment, behaviour = 'plays', port = await freePort() } = options
  const address = `127.0.0.1:${port}`
  const received: [Fields, Fields][] = []
  const sessions = new Set<SonosSession>()
  const device = new SonosDevice(behaviour, environment, (clip) => {
    for (const session of sessions) session.notify(clip)
  })
  const about = describePlayer(device, address)
  const server = createServer(makeCertificate(), (request, response) => {
    const isInfo = request.url === '/api/v1/players/local/info' && isAllowed(request)
    response.writeHead(isInfo ? 200 : 403, { 'content-type': 'application/json' })
    response.end(isInfo ? JSON.stringify(about) : '{}')
  })
  server.on('tlsClientError', () => {})
  const webSockets = new WebSocketServer({
    server,
    path: '/websocket/api',
    verifyClient: ({ req }: { req: IncomingMessage }) => isAllowed(req),
    handleProtocols: (protocols) => protocols.has(subprotocol) && subprotocol,
  })
  webSockets.on('connection', (socket) => {
    const session = new SonosSession(socket, device, about, received)
    sessions.add(session)
    socket.on('close', () => sessions.delete(session))
  })
  const start = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const kill = async () => {
    await device.end()
    for (const socket of webSockets.clients) socket.terminate()
    server.closeAllConnections()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  await start()
  const playMusic = (file: string) => device.playMusic(file)
  return { address, device, received, playMusic, kill, start, close: kill }
}

/** Has the sound server do what a player does: make music softer while a clip plays. */
export async function duckMusic(env: NodeJS.ProcessEnv): Promise<void> {
  const module = ['module-role-ducking', 'trigger_roles=announce', 'ducking_roles=music']
  await promisify(execFile)('pactl', ['load-module', ...module, 'volume=-20dB'], { env })
}

function isAllowed({ headers }: IncomingMessage): boolean {
  return headers['x-sonos-api-key'] === apiKey
}

function describePlayer({ playerId: id, behaviour }: SonosDevice, address: string): Fields {
  const clips = behaviour === 'no-clips' ? [] : ['AUDIO_CLIP']
  const capabilities = ['PLAYBACK', 'CLOUD', ...clips]
  const websocketUrl = `wss://${address}/websocket/api`
  return {
    _objectType: 'discoveryInfo',
    device: {
      _objectType: 'deviceInfo',
      id,
      name: 'Kitchen',
      capabilities,
      websocketUrl,
      swGen: 2,
    },
    householdId,
    playerId: id,
    groupId: `${id}:1`,
    websocketUrl,
    restUrl: `https://${address}/api`,
  }
}

/** A connection of a client. */
class SonosSession {
  readonly #socket: WebSocket
  readonly #device: SonosDevice
  readonly #about: Fields
  #isSubscribed = false

  constructor(socket: WebSocket, device: SonosDevice, about: Fields, received: [Fields, Fields][]) {
    this.#socket = socket
    this.#device = device
    this.#about = about
    socket.on('message', (data) => {
      const [header, options] = JSON.parse(String(data)) as [Fields, Fields]
      received.push([header, options])
      void this.#handle(header, options)
    })
  }

  notify(clip: StandInClip): void {
    if (!this.#isSubscribed) return
    const { playerId } = this.#device
    const header = { namespace: 'audioClip:1', type: 'audioClipStatus', householdId, playerId }
    const audioClips = [{ _objectType: 'audioClip', priority: 'LOW', clipType: 'CUSTOM', ...clip }]
    this.#send(header, { _objectType: 'audioClipStatus', audioClips })
  }

  async #handle(header: Fields, options: Fields): Promise<void> {
    const device = this.#device
    const isOwn = header['playerId'] === device.playerId || header['householdId'] === householdId
    const command = isOwn ? header['command'] : undefined
    if (command === 'subscribe') {
      this.#isSubscribed = true
      this.#succeed(header, 'none', {})
    } else if (command === 'getVolume') {
      const fixed = device.behaviour === 'fixed-volume'
      this.#succeed(header, 'playerVolume', { volume: device.volume, muted: false, fixed })
    } else if (command === 'getGroups') this.#succeed(header, 'groups', this.#groups())
    else if (command === 'loadAudioClip' && device.behaviour === 'hangs') return
    else if (command === 'loadAudioClip') {
      const { status: _status, ...clip } = await device.loadClip(options)
      this.#succeed(header, 'audioClip', { ...clip, priority: 'LOW', clipType: 'CUSTOM' })
    } else if (command === 'cancelAudioClip') {
      if (await device.cancelClip(options['id'])) this.#succeed(header, 'none', {})
      else this.#fail(header, 'ERROR_AUDIO_CLIP_ID_NOT_FOUND')
    } else this.#fail(header, 'ERROR_UNSUPPORTED_COMMAND')
  }

  #groups(): Fields {
    const {
      device: about,
      playerId: id,
      groupId,
      websocketUrl,
    } = this.#about as {
      device: Fields
      playerId: string
      groupId: string
      websocketUrl: string
    }
    const { capabilities } = about
    const player = { _objectType: 'player', id, name: 'Kitchen', websocketUrl, capabilities }
    const group = { _objectType: 'group', id: groupId, name: 'Kitchen', coordinatorId: id }
    return { groups: [{ ...group, playerIds: [id] }], players: [player], partial: false }
  }

  #succeed(header: Fields, type: string, body: Fields): void {
    this.#respond(header, true, type, body)
  }

  #fail(header: Fields, errorCode: string): void {
    this.#respond(header, false, 'globalError', { errorCode })
  }

  #respond(header: Fields, success: boolean, type: string, body: Fields): void {
    const { namespace, command, cmdId } = header
    const { playerId } = this.#device
    const about = { namespace, response: command, cmdId, householdId, playerId, success, type }
    this.#send(about, { ...(type !== 'none' && { _objectType: type }), ...body })
  }

  #send(header: Fields, body: Fields): void {
    this.#socket.send(JSON.stringify([header, body]))
  }
}
