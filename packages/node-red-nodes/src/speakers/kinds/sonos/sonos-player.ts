import { unlessAborted } from '../../../runtime/wait.ts'
import { ApiSocket } from '../../network/api-socket.ts'
import { type Device, type DeviceProblem, deviceError } from '../../network/device.ts'
import { textOfAddress } from '../../network/device-address.ts'
import { requestDevice } from '../../network/http-request.ts'
import { objectOf, parseJson } from '../../network/json.ts'
import { SpeakerError } from '../../speaker-error.ts'
import { type AudioClip, clipsIn, readClip, readSonosMessage } from './sonos-message.ts'

/** Every player accepts it: that of an example of Sonos. It is no secret. */
const apiKey = '123e4567-e89b-12d3-a456-426655440000'
const subprotocol = 'v1.api.smartspeaker.audio'
/** A description of a player and a status of its clips have a few KB. */
const maxFrameBytes = 64 * 1024

const problems = {
  'not-reachable': 'unreachable',
  'other-server': 'other-protocol',
  'no-response': 'no-response',
  lost: 'gone',
  rejected: 'rejected',
} as const satisfies Record<string, DeviceProblem>

/** A connection to one player, through its local API. All requests go to its host, whatever address it names. */
export class SonosPlayer {
  readonly device: Device
  readonly #id: string
  readonly #socket: ApiSocket
  readonly #listeners: Set<(clip: AudioClip) => void>
  #lastCommand = 0

  private constructor(
    device: Device,
    id: string,
    socket: ApiSocket,
    listeners: Set<(clip: AudioClip) => void>,
  ) {
    this.device = device
    this.#id = id
    this.#socket = socket
    this.#listeners = listeners
  }

  /** @throws {SpeakerError} when it does not respond, or cannot play clips; the reason of the signal. */
  static async open(device: Device, signal: AbortSignal): Promise<SonosPlayer> {
    const id = await readPlayerId(device, signal)
    const listeners = new Set<(clip: AudioClip) => void>()
    const onEvent = ({ event }: { event?: unknown }) => {
      for (const clip of clipsIn(event)) for (const listener of [...listeners]) listener(clip)
    }
    const options = {
      url: `wss://${textOfAddress(device.address)}/websocket/api`,
      handshake: {
        subprotocol,
        headers: { 'X-Sonos-Api-Key': apiKey },
        acceptsAnyCertificate: true,
      },
      protocol: { read: readSonosMessage },
      maxFrameBytes,
      limitMs: device.responseMs,
      onEvent,
      problem: (name: keyof typeof problems, { reason = '' }: Record<string, string> = {}) =>
        deviceError(device, problems[name], reason),
    }
    const player = new SonosPlayer(device, id, await ApiSocket.open(options, signal), listeners)
    try {
      await unlessAborted(player.#command('audioClip:1', 'subscribe'), signal)
      return player
    } catch (error) {
      player.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  /** Rejects when the connection ends. */
  get ended(): Promise<never> {
    return this.#socket.ended
  }

  /** 0 to 100. @returns undefined where it is fixed. */
  async readVolume(): Promise<number | undefined> {
    const { volume, fixed } = objectOf(await this.#command('playerVolume:1', 'getVolume'))
    const isVolume = typeof volume === 'number' && volume >= 0 && volume <= 100
    return isVolume && fixed !== true ? volume : undefined
  }

  /**
   * Plays an address over the music, which the player makes softer meanwhile.
   * @param volume 0 to 100. Default: that of the music.
   * @throws {SpeakerError} when the player rejects it.
   */
  async loadClip(streamUrl: string, volume: number | undefined): Promise<string> {
    const options = {
      name: 'Parlando',
      appId: 'parlando.node-red',
      streamUrl,
      // Otherwise, the player plays a chime of its own.
      clipType: 'CUSTOM',
      ...(volume !== undefined && { volume }),
    }
    const [clip] = readClip(await this.#command('audioClip:1', 'loadAudioClip', options))
    if (!clip) throw deviceError(this.device, 'other-protocol')
    return clip.id
  }

  async cancelClip(id: string): Promise<void> {
    await this.#command('audioClip:1', 'cancelAudioClip', { id })
  }

  /** Calls back for each status of a clip. @returns a function that ends that. */
  onClip(listener: (clip: AudioClip) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#socket.close()
  }

  #command(namespace: string, command: string, options: object = {}): Promise<unknown> {
    this.#lastCommand += 1
    const cmdId = String(this.#lastCommand)
    const header = { namespace, command, cmdId, playerId: this.#id }
    return this.#socket.request(cmdId, [header, options])
  }
}

/** @throws {SpeakerError} */
async function readPlayerId(device: Device, signal: AbortSignal): Promise<string> {
  const address = textOfAddress(device.address)
  const url = new URL(`https://${address}/api/v1/players/local/info`)
  const headers = { 'X-Sonos-Api-Key': apiKey }
  const { status, text } = await requestDevice(device, url, { headers, signal })
  const { playerId, device: about } = objectOf(parseJson(text))
  if (status === 200 && typeof playerId === 'string' && playerId.length <= 100) {
    const { capabilities } = objectOf(about)
    if (!Array.isArray(capabilities) || capabilities.includes('AUDIO_CLIP')) return playerId
    const message = device.RED._('speaker.sonos.no-clips', { address })
    throw new SpeakerError('SPEAKER_REFUSED', message)
  }
  const isRejected = status === 401 || status === 403
  throw deviceError(device, isRejected ? 'rejected' : 'other-protocol', `HTTP ${status}`)
}
