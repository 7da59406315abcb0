import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeMusic } from '@parlando/test-support/audio/encode'
import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { type Mpd, startMpd } from '@parlando/test-support/players/programs/mpd'
import { keys } from '@parlando/test-support/secrets/keys'
import { freePort } from '@parlando/test-support/servers/addresses'
import { type SoundServer, serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { createHomeAssistantDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/home-assistant/home-assistant.ts'
import type {
  DeviceCase,
  DriverCase,
} from '../../../packages/node-red-nodes/src/speakers/test-suites/driver-test-case.ts'
import { installHomeAssistant } from './install-home-assistant.ts'
import { type RealHomeAssistant, startHomeAssistant } from './run-home-assistant.ts'

/** A house with a real Home Assistant, a real MPD and a satellite. */
export interface House {
  pulse: Pulse
  mpd: Mpd
  homeAssistant: RealHomeAssistant
  sounds: SoundServer
  close(): Promise<void>
}

export async function startHouse(): Promise<House> {
  const pulse = await startPulse()
  const mpd = await startMpd({ environment: pulse.environment })
  const satellitePort = await freePort()
  const satellite = startSatellite(satellitePort, pulse.environment)
  const homeAssistant = await startHomeAssistant(pulse.environment)
  const sounds = await serveSounds()
  await homeAssistant.add('mpd', { host: '127.0.0.1', port: mpd.port })
  await homeAssistant.add('wyoming', { host: '127.0.0.1', port: satellitePort })
  return {
    pulse,
    mpd,
    homeAssistant,
    sounds,
    async close() {
      await homeAssistant.close()
      await end(satellite)
      await mpd.close()
      await sounds.close()
      await pulse.stop()
    },
  }
}

function startSatellite(port: number, env: NodeJS.ProcessEnv): ChildProcess {
  const script = fileURLToPath(new URL('satellite.py', import.meta.url))
  const python = join(installHomeAssistant(), 'python')
  return spawn(python, [script, String(port)], { env, stdio: 'inherit' })
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** The driver of an entity of the house. */
export function createCase(
  { pulse, mpd, homeAssistant, sounds }: House,
  entity: string,
): DriverCase & DeviceCase {
  const create = (more: object = {}, limitMs?: number) =>
    createHomeAssistantDriver({
      RED: speakerTexts.en,
      sounds: sounds.sounds,
      environment: {},
      config: {
        homeAssistantAddress: homeAssistant.address,
        homeAssistantToken: homeAssistant.token,
        homeAssistantEntity: entity,
        ...more,
      },
      limitMs,
    })
  const refresh = () =>
    homeAssistant.request('POST', '/api/services/homeassistant/update_entity', {
      entity_id: entity,
    })
  const isSatellite = entity.startsWith('assist_satellite.')
  return {
    driver: create(),
    at: (address, limitMs) => create({ homeAssistantAddress: `http://${address}` }, limitMs),
    wrongSecret: {
      driver: create({ homeAssistantToken: keys.wrong }),
      message: /rejects the access token: create a new/,
    },
    record: pulse.record,
    ...(isSatellite
      ? { silence: () => untilIdle(homeAssistant, entity) }
      : { playMusic: () => playMusic(mpd, pulse, refresh) }),
    state: () => mpd.mpc('status', '--format', '%file%').then(lastingPart),
    kill: mpd.kill,
    async start() {
      await mpd.start()
      await refresh()
    },
    broken: { driver: create({ homeAssistantEntity: 'media_player.gone' }), code: 'NO_PLAYER' },
    close: async () => {},
  }
}

async function playMusic(mpd: Mpd, pulse: Pulse, refresh: () => Promise<unknown>): Promise<void> {
  await writeMusic(join(mpd.music, 'music.mp3'))
  await mpd.mpc('update', '--wait')
  const recording = await pulse.record()
  await mpd.mpc('clear')
  await mpd.mpc('add', 'music.mp3')
  await mpd.mpc('play')
  await recording.heard
  await recording.stop()
  await refresh()
}

/** Without positions: what a sound leaves as it was. */
function lastingPart(status: string): string {
  const [song, state] = status.split('\n')
  const [volume] = /volume:\s*\S+/.exec(status) ?? []
  return [song, /playing|paused/.exec(state ?? '')?.[0], volume].join(' ')
}

async function untilIdle({ request }: RealHomeAssistant, entity: string): Promise<void> {
  const state = async () => (await request('GET', `/api/states/${entity}`)) as { state: string }
  while ((await state()).state !== 'idle') await delay(100)
}
