import { trimmedText } from '../../../runtime/saved-settings.ts'
import type { Texts } from '../../../runtime/texts.ts'
import { unlessAborted } from '../../../runtime/wait.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import { OneAtATime } from '../../device-drivers/one-at-a-time.ts'
import { Prepared } from '../../device-drivers/prepared.ts'
import type { Driver } from '../../driver.ts'
import { deviceOfServer, hostOf } from '../../network/server-address.ts'
import { speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { listPlayers } from './list-players.ts'
import { findServer } from './music-assistant-server.ts'
import { playAnnouncement } from './play-announcement.ts'
import { Player } from './player.ts'
import { problem } from './speaker-problem.ts'

/** A player of Music Assistant: it reaches about twenty kinds of devices. */
export const musicAssistantSpeaker: SpeakerKind = {
  create: createMusicAssistantDriver,
  hasNote: true,
  devices: (config) => [
    deviceOfServer('music-assistant', config['musicAssistantAddress'], playerOf(config)),
  ],
  settings: [
    {
      name: 'musicAssistantAddress',
      type: 'address',
      placeholder: 'http://homeassistant.local:8095',
    },
    { name: 'musicAssistantToken', type: 'secret', sentTo: 'musicAssistantAddress' },
    { name: 'musicAssistantPlayer', type: 'device' },
    { name: 'address', type: 'address' },
  ],
  playerHost: ({ musicAssistantAddress }) => hostOf(trimmedText(musicAssistantAddress)),
  services: {
    types: ['_mass._tcp'],
    // The name of the service is a number.
    speakerOf: ({ address }) => ({
      name: 'Music Assistant',
      settings: { musicAssistantAddress: `http://${address}` },
    }),
  },
  listDevices: ({ RED, config }, signal) =>
    listPlayers({ RED, server: findServer(RED, config) }, signal),
}

export interface MusicAssistantOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long Music Assistant may take to respond. Default: 5 s. */
  limitMs?: number
  /** How long Music Assistant may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/** Plays sounds as announcements on a player of Music Assistant, which fetches their addresses. */
export function createMusicAssistantDriver(options: MusicAssistantOptions): Driver {
  const { RED, sounds, config, limitMs, fetchLimitMs } = options
  const address = trimmedText(config['address'])
  const playing = new OneAtATime()
  const prepared = new Prepared<Player>((player) => player.close())
  let last: { player: Player; over: Promise<void> } | undefined

  const open = async (signal: AbortSignal): Promise<Player> => {
    const id = playerOf(config)
    const server = findServer(RED, config)
    if (!id) throw problem(RED, 'no-player')
    return Player.open({ RED, server, id, ...(limitMs && { limitMs }) }, signal)
  }

  return {
    async prepare(signal) {
      prepared.keep(await open(AbortSignal.any([signal, playing.signal])))
      return deviceFormat
    },
    play: (sound, { volume, onFirstSound, signal: stopped }) =>
      playing.play(stopped, async (signal) => {
        // Music Assistant begins with the next announcement when it has ended the one before.
        await unlessAborted(last?.over ?? Promise.resolve(), signal)
        const kept = prepared.take()
        const player = kept?.isOpen ? kept : await open(signal)
        const closing = playing.signal
        const call = { RED, sounds, address, volume, onFirstSound, signal, closing, fetchLimitMs }
        const { played, over } = playAnnouncement(player, sound, call)
        // It says when the player is free.
        last = { player, over }
        void Promise.allSettled([played, over]).then(() => player.close())
        return played
      }),
    async close() {
      await playing.close(speakerClosed(RED))
      prepared.close()
      last?.player.close()
    },
  }
}

function playerOf({ musicAssistantPlayer }: DriverContext['config']): string {
  return trimmedText(musicAssistantPlayer)
}
