import type { Texts } from '../../../runtime/texts.ts'
import { readyTogether } from '../../../runtime/wait.ts'
import { createConnectedDriver } from '../../device-drivers/connected-driver.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import type { Driver } from '../../driver.ts'
import { deviceAt } from '../../network/device.ts'
import { deviceKey, readDeviceAddress } from '../../network/device-address.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { type ClipCall, playClip } from './play-clip.ts'
import { SonosPlayer } from './sonos-player.ts'

const defaultPort = 1443
const defaultResponseMs = 5_000
/** A Sonos system has no more. */
const maxPlayers = 32
/**
 * The others begin without a player that is ready this much later than the first one. Less than speakers wait for each other: the other
 * speakers of an announcement would begin without all players.
 */
const maxLateMs = 1_000

/** Players of Sonos with the system S2, which go on with their music under an announcement. */
export const sonosSpeaker: SpeakerKind = {
  create: createSonosDriver,
  hasNote: true,
  settings: [
    { name: 'sonos', placeholder: '192.168.1.20' },
    { name: 'address', type: 'address' },
  ],
  services: {
    types: ['_sonos._tcp'],
    // Named such as `Sonos-5CAAFD000000@Kitchen`.
    speakerOf: ({ name, address }) => ({
      name: name.split('@').at(-1),
      settings: { sonos: address },
    }),
  },
  playerHost: ({ sonos }) => readDeviceAddress(addressesOf(sonos)[0], defaultPort)?.host,
  devices: ({ sonos }) => addressesOf(sonos).map((typed) => deviceKey('sonos', typed, defaultPort)),
}

export interface SonosOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long a player may take to accept a connection, and to respond. Default: 5 s. */
  responseMs?: number
  /** How long it may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/** Plays each sound on one player, or on several at once: each gets a clip of its own, because a group cannot have one. */
export function createSonosDriver(options: SonosOptions): Driver {
  const { RED, sounds, config, responseMs = defaultResponseMs, fetchLimitMs } = options
  const address = String(config['address'] ?? '')
  return createConnectedDriver<Players>({
    RED,
    format: deviceFormat,
    async connect(signal) {
      const deviceOptions = { RED, name: 'Sonos', defaultPort, responseMs }
      const devices = addressesOf(config['sonos']).map((typed) => deviceAt(typed, deviceOptions))
      const late = new AbortController()
      const limit = AbortSignal.any([signal, late.signal])
      const opening = devices.map((device) => SonosPlayer.open(device, limit))
      await readyTogether(opening, maxLateMs)
      late.abort()
      return succeeded(opening)
    },
    isOpen: ({ results }) => results.some(({ isOpen }) => isOpen),
    close({ results }) {
      for (const player of results) player.close()
    },
    async play({ results: players, errors }, sound, playOptions) {
      const { volume, signal, onFirstSound } = playOptions
      const call: ClipCall = {
        ...{ sounds, address, volume, signal, fetchLimitMs },
        onFirstSound,
      }
      const open = players.filter(({ isOpen }) => isOpen)
      const played = await succeeded(open.map((player) => playClip(player, sound, call)))
      // One player may have ended just before an abort.
      signal.throwIfAborted()
      const messages = [...errors, ...played.errors].map(({ message }) => message)
      return { ...played.results[0]!, ...(messages.length > 0 && { warning: messages.join(' ') }) }
    },
  })
}

/** Separated by commas or spaces. @returns one empty text if none is typed. */
function addressesOf(typed: unknown): string[] {
  const addresses = String(typed ?? '')
    .trim()
    .split(/[\s,;]+/, maxPlayers)
    .filter(Boolean)
  return addresses.length > 0 ? addresses : ['']
}

interface Outcome<Result> {
  results: Result[]
  /** Why the others failed. */
  errors: Error[]
}

type Players = Outcome<SonosPlayer>

/** A player that is off does not keep the others from speaking. @throws the first error if nothing succeeded. */
async function succeeded<Result>(attempts: readonly Promise<Result>[]): Promise<Outcome<Result>> {
  const settled = await Promise.allSettled(attempts)
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (results.length === 0) throw errors[0]
  return { results, errors }
}
