import type { Texts } from '../../../runtime/texts.ts'
import { unlessAborted } from '../../../runtime/wait.ts'
import type { SoundFormat } from '../../../sounds/sound.ts'
import type { Driver } from '../../driver.ts'
import { deviceAt } from '../../network/device.ts'
import { readDeviceAddress, textOfAddress } from '../../network/device-address.ts'
import { OneAtATime } from '../../playback/one-at-a-time.ts'
import { Prepared } from '../../playback/prepared.ts'
import { speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { CastConnection } from './cast-connection.ts'
import { playOnDevice } from './play-on-device.ts'
import { readStatus } from './receiver.ts'

/** Every device decodes it, also while it grows. */
const format: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }

/** Of a device; groups have others. */
const defaultPort = 8009
const defaultResponseMs = 5_000

/** A device with Google Cast: Chromecast, Nest, televisions, other speakers. */
export const castSpeaker: SpeakerKind = {
  create: createCastDriver,
  settings: [
    { name: 'cast', placeholder: '192.168.1.20' },
    { name: 'address', type: 'address' },
  ],
  services: {
    types: ['_googlecast._tcp'],
    // Groups have ports of their own.
    speakerOf: ({ address, texts }) => ({ name: texts['fn'], settings: { cast: address } }),
  },
  playerHost: ({ cast }) => readDeviceAddress(cast, defaultPort)?.host,
  devices({ cast }) {
    const address = readDeviceAddress(cast, defaultPort)
    return [`cast ${address ? textOfAddress(address).toLowerCase() : cast}`]
  },
}

export interface CastOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long the device may take to accept a connection, and to respond. Default: 5 s. */
  responseMs?: number
  /** How long it may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/** Plays each sound on a device, which fetches its address. */
export function createCastDriver(options: CastOptions): Driver {
  const { RED, sounds, config, responseMs = defaultResponseMs, fetchLimitMs } = options
  const address = String(config['address'] ?? '')
  const playing = new OneAtATime()
  const prepared = new Prepared<CastConnection>((connection) => connection.close())

  const connect = (signal: AbortSignal) => {
    const device = deviceAt(config['cast'], { RED, name: 'Google Cast', defaultPort, responseMs })
    return CastConnection.open(device, signal)
  }

  return {
    async prepare(signal) {
      const connection = await connect(signal)
      try {
        await unlessAborted(readStatus(connection), signal)
      } catch (error) {
        connection.close()
        throw error
      }
      prepared.keep(connection)
      return format
    },
    play: (sound, { volume, text, onFirstSound, signal: stopped }) =>
      playing.play(stopped, async (signal) => {
        const kept = prepared.take()
        const connection = kept?.isOpen ? kept : await connect(signal)
        try {
          const call = { sounds, address, volume, text, onFirstSound, fetchLimitMs }
          return await playOnDevice(connection, sound, { ...call, signal })
        } finally {
          connection.close()
        }
      }),
    async close() {
      await playing.close(speakerClosed(RED))
      prepared.close()
    },
  }
}
