import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import {
  type MusicAssistantStandIn,
  startMusicAssistant,
} from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant'
import type { Behaviour } from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant-player'
import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type {
  CreateDriverCase,
  DeviceCase,
  DriverCase,
} from '../../test-suites/driver-test-case.ts'
import { createMusicAssistantDriver } from './music-assistant.ts'

export const programs = ['ffmpeg'] as const

export interface StandInCase extends DriverCase, DeviceCase {
  musicAssistant: MusicAssistantStandIn
}

/**
 * A player of the stand-in that behaves as it says, and one that is away.
 * @param isQuick Whether an announcement ends as soon as the player is silent.
 */
export async function createStandInCase(
  behaviour: Behaviour,
  isQuick = false,
): Promise<StandInCase> {
  const pulse = await startPulse()
  const server = await serveSounds()
  const folder = await mkdtemp(join(tmpdir(), 'music-'))
  const musicAssistant = await startMusicAssistant(
    { kitchen: behaviour, away: 'unavailable' },
    { environment: pulse.environment, isQuick },
  )
  const player = musicAssistant.player('kitchen')
  const create = (more: object = {}, limitMs?: number) =>
    createMusicAssistantDriver({
      RED: speakerTexts.en,
      sounds: server.sounds,
      config: {
        musicAssistantAddress: musicAssistant.address,
        musicAssistantToken: musicAssistant.token,
        musicAssistantPlayer: 'kitchen',
        ...more,
      },
      limitMs,
    })
  return {
    musicAssistant,
    driver: create(),
    at: (address, limitMs) => create({ musicAssistantAddress: `http://${address}` }, limitMs),
    wrongSecret: {
      driver: create({ musicAssistantToken: keys.wrong }),
      message: /rejects the access token: create a new/,
    },
    record: pulse.record,
    ...(behaviour === 'announces' && { silence: () => player.silence() }),
    async playMusic() {
      const sampleRateHertz = 44_100
      const pcm = tone({ hertz: 300, seconds: 60, sampleRateHertz })
      const file = join(folder, 'music.mp3')
      await writeFile(file, await encodeMp3(pcm, { sampleRateHertz }))
      player.playMusic(file)
    },
    // Music Assistant waits for the length of the sound, and two seconds, also when the sound was stopped.
    ...(!isQuick && { stopped: { soundSeconds: 3, musicReturnsMs: 6_000 } }),
    state: async () => player.lasting,
    kill: () => player.leave(),
    start: async () => player.comeBack(),
    broken: { driver: create({ musicAssistantPlayer: 'away' }), code: 'SPEAKER_NOT_REACHABLE' },
    async close() {
      await musicAssistant.close()
      await server.close()
      await pulse.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export const createDeviceCase = () => createStandInCase('plays', true)

const createCase: CreateDriverCase = createDeviceCase

export default createCase
