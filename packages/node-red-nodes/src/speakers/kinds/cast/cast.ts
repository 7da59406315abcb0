import type { Texts } from '../../../runtime/texts.ts'
import { unlessAborted } from '../../../runtime/wait.ts'
import { createConnectedDriver } from '../../device-drivers/connected-driver.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import type { Driver } from '../../driver.ts'
import { deviceAt } from '../../network/device.ts'
import { deviceKey, readDeviceAddress } from '../../network/device-address.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { CastConnection } from './cast-connection.ts'
import { playOnDevice } from './play-on-device.ts'
import { readStatus } from './receiver.ts'

/** The port of a device; groups have others. */
const defaultPort = 8009
const defaultResponseMs = 5_000

/** A device with Google Cast: Chromecast, Nest, televisions, other speakers. */
export const castSpeaker: SpeakerKind = {
  create: createCastDriver,
  hasNote: true,
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
  devices: ({ cast }) => [deviceKey('cast', cast, defaultPort)],
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
  return createConnectedDriver<CastConnection>({
    RED,
    format: deviceFormat,
    async connect(signal) {
      const device = deviceAt(config['cast'], { RED, name: 'Google Cast', defaultPort, responseMs })
      const connection = await CastConnection.open(device, signal)
      try {
        await unlessAborted(readStatus(connection), signal)
        return connection
      } catch (error) {
        connection.close()
        throw error
      }
    },
    isOpen: ({ isOpen }) => isOpen,
    close: (connection) => connection.close(),
    play: (connection, sound, playOptions) =>
      playOnDevice(connection, sound, { ...playOptions, sounds, address, fetchLimitMs }),
  })
}
