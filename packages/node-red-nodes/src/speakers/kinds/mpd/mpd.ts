import type { Texts } from '../../../runtime/texts.ts'
import { createConnectedDriver } from '../../device-drivers/connected-driver.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import type { Driver } from '../../driver.ts'
import { deviceAt } from '../../network/device.ts'
import { deviceKey, readDeviceAddress } from '../../network/device-address.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { MpdConnection } from './mpd-connection.ts'
import { playSong } from './play-song.ts'

const defaultPort = 6600
/** Mopidy reads the start of a sound before it responds that it has added it. */
const defaultResponseMs = 5_000

/** MPD, or a program that speaks its protocol: Mopidy, Volumio, moOde. */
export const mpdSpeaker: SpeakerKind = {
  create: createMpdDriver,
  settings: [
    { name: 'mpd', default: `localhost:${defaultPort}` },
    { name: 'mpdPassword', type: 'secret', sentTo: 'mpd' },
    { name: 'address', type: 'address' },
  ],
  services: { types: ['_mpd._tcp'], speakerOf: ({ address }) => ({ settings: { mpd: address } }) },
  playerHost: ({ mpd }) => readDeviceAddress(mpd, defaultPort)?.host,
  devices: ({ mpd }) => [deviceKey('mpd', mpd, defaultPort)],
}

export interface MpdOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long MPD may take to accept a connection, and to respond to a command. Default: 5 s. */
  responseMs?: number
}

/** Plays each sound as a song of MPD's queue, and then lets MPD continue what it did before. */
export function createMpdDriver(options: MpdOptions): Driver {
  const { RED, sounds, config, responseMs = defaultResponseMs } = options
  const password = String(config['mpdPassword'] ?? '')
  const address = String(config['address'] ?? '')

  const findDevice = () => deviceAt(config['mpd'], { RED, name: 'MPD', defaultPort, responseMs })
  const connect = (signal: AbortSignal) => MpdConnection.open(findDevice(), password, signal)
  const reconnect = () => connect(AbortSignal.timeout(responseMs))

  return createConnectedDriver<MpdConnection>({
    RED,
    format: deviceFormat,
    connect,
    isOpen: ({ isOpen }) => isOpen,
    close: (connection) => connection.close(),
    play: (connection, sound, playOptions) =>
      playSong(connection, sound, {
        ...playOptions,
        ...{ device: findDevice(), sounds, address, reconnect },
      }),
  })
}
