import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMusic } from '@parlando/test-support/audio/encode'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import {
  type HomeAssistantStandIn,
  startStandIn,
} from '@parlando/test-support/players/stand-ins/home-assistant/home-assistant'
import type { Behaviour } from '@parlando/test-support/players/stand-ins/home-assistant/home-assistant-device'
import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type {
  CreateDriverCase,
  DeviceCase,
  DriverCase,
} from '../../test-suites/driver-test-case.ts'
import { createHomeAssistantDriver } from './home-assistant.ts'

export const programs = ['mpg123'] as const

export interface StandInCase extends DriverCase, DeviceCase {
  homeAssistant: HomeAssistantStandIn
}

/** A device of the stand-in that behaves as it says, and one that is off. */
export async function createStandInCase(behaviour: Behaviour): Promise<StandInCase> {
  const pulse = await startPulse()
  const server = await serveSounds()
  const folder = await mkdtemp(join(tmpdir(), 'music-'))
  const id = behaviour === 'satellite' ? 'assist_satellite.hall' : 'media_player.kitchen'
  const homeAssistant = await startStandIn(
    { [id]: behaviour, 'media_player.away': 'unavailable' },
    pulse.environment,
  )
  const device = homeAssistant.device(id)
  const create = (more: object = {}, limitMs?: number) =>
    createHomeAssistantDriver({
      RED: speakerTexts.en,
      sounds: server.sounds,
      environment: {},
      config: {
        homeAssistantAddress: homeAssistant.address,
        homeAssistantToken: homeAssistant.token,
        homeAssistantEntity: id,
        ...more,
      },
      limitMs,
    })
  const music = async () => {
    const file = join(folder, 'music.mp3')
    await writeMusic(file)
    device.playMusic(file)
  }
  return {
    homeAssistant,
    driver: create(),
    at: (address, limitMs) => create({ homeAssistantAddress: `http://${address}` }, limitMs),
    wrongSecret: {
      driver: create({ homeAssistantToken: keys.wrong }),
      message: /rejects the access token: create a new/,
    },
    record: pulse.record,
    ...(behaviour === 'satellite' ? { silence: () => device.silence() } : { playMusic: music }),
    state: async () => device.lasting,
    kill: () => device.leave(),
    start: async () => device.comeBack(),
    broken: {
      driver: create({ homeAssistantEntity: 'media_player.away' }),
      code: 'SPEAKER_NOT_REACHABLE',
    },
    async close() {
      await homeAssistant.close()
      await server.close()
      await pulse.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export const createDeviceCase = () => createStandInCase('plays')

const createCase: CreateDriverCase = createDeviceCase

export default createCase
