import { trimmedText } from '../../../runtime/saved-settings.ts'
import type { Texts } from '../../../runtime/texts.ts'
import { withinTime } from '../../../runtime/wait.ts'
import { isResponseForm, responseForms } from '../../../sounds/to-play/sound-store.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import { OneAtATime } from '../../device-drivers/one-at-a-time.ts'
import type { Driver } from '../../driver.ts'
import { deviceOfServer } from '../../network/server-address.ts'
import { speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { Entity } from './entity.ts'
import { type EntityState, mediaPlayerFeatures, satelliteFeatures } from './entity-state.ts'
import { findServer } from './home-assistant-server.ts'
import { listEntities } from './list-entities.ts'
import { mediaPlayer } from './media-player.ts'
import { playOnTarget } from './play-on-target.ts'
import { satellite } from './satellite.ts'
import { problem } from './speaker-problem.ts'

/** What the device plays now, and its volume, should be known; but not at the cost of a late announcement. */
const refreshLimitMs = 200

export const homeAssistantSpeaker: SpeakerKind = {
  create: createHomeAssistantDriver,
  hasNote: true,
  devices: (config) => [
    deviceOfServer('home-assistant', config['homeAssistantAddress'], entityOf(config)),
  ],
  settings: [
    {
      name: 'homeAssistantAddress',
      type: 'address',
      placeholder: 'http://homeassistant.local:8123',
    },
    { name: 'homeAssistantToken', type: 'secret', sentTo: 'homeAssistantAddress' },
    { name: 'homeAssistantEntity', type: 'device', placeholder: 'media_player.kitchen' },
    { name: 'address', type: 'address' },
    { name: 'response', default: 'adaptive', options: responseForms },
  ],
  services: {
    types: ['_home-assistant._tcp'],
    // Not the address that it states: it may be that of a server in the internet.
    speakerOf: ({ address, texts }) => ({
      name: texts['location_name'],
      settings: { homeAssistantAddress: `http://${address}` },
    }),
  },
  listDevices: ({ RED, config }, signal) =>
    listEntities({ RED, server: findServer(RED, config, process.env) }, signal),
}

export interface HomeAssistantOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** Default: the environment of Node-RED. */
  environment?: NodeJS.ProcessEnv
  /** How long Home Assistant may take to respond. Default: 5 s. */
  limitMs?: number
  /** How long a device may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/** Plays sounds on a media player or a satellite of Home Assistant, which fetches their addresses. */
export function createHomeAssistantDriver(options: HomeAssistantOptions): Driver {
  const { RED, sounds, config, environment = process.env, limitMs, fetchLimitMs } = options
  const { response, address } = config
  const publish = {
    response: isResponseForm(response) ? response : ('adaptive' as const),
    address: typeof address === 'string' ? address : '',
  }
  const playing = new OneAtATime()
  let entity: Entity | undefined

  const open = async (signal: AbortSignal): Promise<Entity> => {
    const id = entityOf(config)
    if (!/^(media_player|assist_satellite)\.\w+$/.test(id)) throw problem(RED, 'no-entity')
    entity ??= new Entity({ RED, server: findServer(RED, config, environment), id, limitMs })
    const state = await entity.open(signal)
    const name = state.name || id
    if (state.state === 'unavailable') throw problem(RED, 'unavailable', { name })
    if (!canPlay(id, state)) throw problem(RED, 'cannot-play', { name })
    return entity
  }

  return {
    async prepare(signal) {
      const entity = await open(AbortSignal.any([signal, playing.signal]))
      await withinTime(refreshLimitMs, entity.refresh(), () => 'the device is slow').catch(() => {})
      return deviceFormat
    },
    play: (sound, playOptions) =>
      playing.play(playOptions.signal, async (signal) => {
        const entity = await open(signal)
        const target = entity.id.startsWith('media_player.')
          ? mediaPlayer(entity, playOptions.volume)
          : satellite(entity)
        const targetOptions = { RED, entity, target, sounds, publish, fetchLimitMs }
        return playOnTarget(targetOptions, sound, { ...playOptions, signal })
      }),
    async close() {
      await playing.close(speakerClosed(RED))
      entity?.close()
    },
  }
}

function entityOf({ homeAssistantEntity }: DriverContext['config']): string {
  return trimmedText(homeAssistantEntity)
}

/** A device that is off may not report yet what it can. */
function canPlay(id: string, { features }: EntityState): boolean {
  if (features === 0) return true
  const wanted = id.startsWith('media_player.')
    ? mediaPlayerFeatures.playMedia
    : satelliteFeatures.announce
  return (features & wanted) !== 0
}
