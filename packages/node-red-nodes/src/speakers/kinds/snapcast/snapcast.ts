import type { Texts } from '../../../runtime/texts.ts'
import type { SoundFormat } from '../../../sounds/sound.ts'
import type { Driver } from '../../driver.ts'
import { type Device, deviceAt } from '../../network/device.ts'
import { deviceKey } from '../../network/device-address.ts'
import { speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { findSource } from './find-source.ts'
import { Muting } from './muting.ts'
import { playInGroups } from './play-in-groups.ts'
import { SnapcastControl } from './snapcast-control.ts'

const defaultPort = 1705
const defaultSource = 'Parlando'
/** The buffer of the server: from a sample that it reads to the moment at which all clients play it. */
const defaultBufferMs = 1000
const defaultResponseMs = 5_000

/** The clients of a Snapcast server, which play in step. */
export const snapcastSpeaker: SpeakerKind = {
  create: createSnapcastDriver,
  settings: [
    { name: 'snapcast', default: `localhost:${defaultPort}` },
    { name: 'snapcastSource', default: defaultSource },
    { name: 'snapcastBuffer', default: String(defaultBufferMs) },
  ],
  services: {
    // The port of the commands: of old servers, and of those since 0.33.
    types: ['_snapcast-tcp._tcp', '_snapcast-ctrl._tcp'],
    speakerOf: ({ address }) => ({ settings: { snapcast: address } }),
  },
  devices: ({ snapcast }) => [deviceKey('snapcast', snapcast, defaultPort)],
}

export interface SnapcastOptions extends Pick<DriverContext, 'config'> {
  RED: Texts
  /** How long the server may take to accept a connection, and to respond. Default: 5 s. */
  responseMs?: number
}

/** Writes each sound to a source of the server, in real time. */
export function createSnapcastDriver(options: SnapcastOptions): Driver {
  const { RED, config, responseMs = defaultResponseMs } = options
  const sourceName = String(config['snapcastSource'] ?? '').trim() || defaultSource
  const bufferMs = bufferOf(config['snapcastBuffer'])
  const closing = new AbortController()
  const playing = new Set<Promise<unknown>>()

  const findDevice = () =>
    deviceAt(config['snapcast'], { RED, name: 'Snapcast', defaultPort, responseMs })

  const reconnect = () => SnapcastControl.open(findDevice(), AbortSignal.timeout(responseMs))
  const muting = new Muting(reconnect)

  return {
    async prepare(signal): Promise<SoundFormat> {
      const device = findDevice()
      const control = await SnapcastControl.open(device, signal)
      try {
        const { format } = await findSource(control, device, sourceName)
        return { audioEncoding: 'PCM', sampleRateHertz: format.rateHertz }
      } finally {
        control.close()
      }
    },
    play(sound, { signal: stopped, volume, onFirstSound }) {
      const signal = AbortSignal.any([stopped, closing.signal])
      const play = async () => {
        signal.throwIfAborted()
        const device: Device = findDevice()
        const control = await SnapcastControl.open(device, signal)
        const call = {
          device,
          sourceName,
          bufferMs,
          volume,
          signal,
          onFirstSound,
          muting,
          reconnect,
        }
        try {
          return await playInGroups(control, sound, call)
        } finally {
          muting.closeLater(control)
        }
      }
      const played = play()
      playing.add(played)
      return played.finally(() => playing.delete(played))
    },
    async close() {
      closing.abort(speakerClosed(RED))
      await Promise.allSettled(playing)
      await muting.ended
    },
  }
}

function bufferOf(typed: unknown): number {
  const ms = Number(typed ?? '')
  return ms > 0 && ms <= 10_000 ? ms : defaultBufferMs
}
