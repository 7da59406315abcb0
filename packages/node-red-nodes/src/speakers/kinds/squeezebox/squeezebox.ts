import type { NodeAPI } from 'node-red'
import type { Texts } from '../../../runtime/texts.ts'
import type { SoundFormat } from '../../../sounds/sound.ts'
import type { Driver } from '../../driver.ts'
import { SpeakerError, speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { playStream } from './play-stream.ts'
import type { SlimPlayer } from './player.ts'
import { SharedServers } from './shared-servers.ts'

/** Every player decodes it, and at once. */
const format: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz: 44_100 }
const defaultPort = 3483

/** Players of Squeezebox: squeezelite, and the devices that Logitech made. Called once, because speakers share servers. */
export function squeezeboxSpeaker(RED: NodeAPI): SpeakerKind {
  const { uiHost = '' } = RED.settings as { uiHost?: string }
  // Players fetch the sounds from Node-RED, so where that cannot be reached, this need not be either.
  const servers = new SharedServers(uiHost)
  return {
    create: ({ RED, sounds, config }) => createSqueezeboxDriver({ RED, servers, sounds, config }),
    settings: [
      { name: 'squeezebox' },
      { name: 'squeezeboxPort', default: String(defaultPort) },
      { name: 'address', type: 'address' },
    ],
    devices: (config) => [`squeezebox ${portOf(config)} ${playerOf(config).toLowerCase()}`],
  }
}

export interface SqueezeboxOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  servers: SharedServers
  /** How long a player may take until it fetches an address. Default: 5 s. */
  fetchLimitMs?: number
}

/** Tells a player to fetch each sound. The player is connected to a server of ours. */
export function createSqueezeboxDriver(options: SqueezeboxOptions): Driver {
  const { RED, servers, sounds, config, fetchLimitMs } = options
  const port = portOf(config)
  const closing = new AbortController()
  servers.acquire(port)

  const find = async (signal: AbortSignal): Promise<SlimPlayer> => {
    const server = await servers.get(port).catch((error) => {
      const values = { port, reason: error.code ?? '' }
      throw new SpeakerError('SPEAKER_REFUSED', RED._('speaker.squeezebox.port-in-use', values))
    })
    const player = await server.find(playerOf(config), signal)
    if (player) return player
    const known = server.players.map(({ id, name }) => (name ? `${name} (${id})` : id)).join(', ')
    const values = { player: playerOf(config), port, known: known || '–' }
    const key = playerOf(config) === '' ? 'no-only-player' : 'no-player'
    throw new SpeakerError('SPEAKER_NOT_REACHABLE', RED._(`speaker.squeezebox.${key}`, values))
  }

  return {
    async prepare(signal) {
      await find(signal)
      return format
    },
    async play(sound, { signal: stopped, volume, onFirstSound }) {
      const signal = AbortSignal.any([stopped, closing.signal])
      signal.throwIfAborted()
      const player = await find(signal)
      const address = String(config['address'] ?? '')
      const call = { RED, sounds, address, volume, signal, onFirstSound }
      return await playStream(player, sound, { ...call, ...(fetchLimitMs && { fetchLimitMs }) })
    },
    async close() {
      closing.abort(speakerClosed(RED))
      servers.release(port)
    },
  }
}

function playerOf({ squeezebox }: DriverContext['config']): string {
  return String(squeezebox ?? '').trim()
}

function portOf({ squeezeboxPort }: DriverContext['config']): number {
  const port = Number(squeezeboxPort ?? '')
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : defaultPort
}
