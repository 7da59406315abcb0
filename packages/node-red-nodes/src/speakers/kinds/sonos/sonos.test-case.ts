import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMusic } from '@parlando/test-support/audio/encode'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { duckMusic, startSonosPlayer } from '@parlando/test-support/players/stand-ins/sonos/sonos'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type {
  CreateDriverCase,
  DeviceCase,
  DriverCase,
} from '../../test-suites/driver-test-case.ts'
import { createSonosDriver } from './sonos.ts'

export const programs: readonly Program[] = ['mpg123', 'pactl']

export async function createDeviceCase(): Promise<DriverCase & DeviceCase> {
  const pulse = await startPulse()
  await duckMusic(pulse.environment)
  const { sounds, ...server } = await serveSounds()
  const folder = await mkdtemp(join(tmpdir(), 'sonos-'))
  const sonos = await startSonosPlayer(pulse)
  const driverOf = (address: string, responseMs?: number) =>
    createSonosDriver({ RED: speakerTexts.en, sounds, config: { sonos: address }, responseMs })
  return {
    driver: driverOf(sonos.address),
    at: (address, limitMs) => driverOf(address, limitMs),
    broken: { driver: driverOf('127.0.0.1:2'), code: 'SPEAKER_NOT_REACHABLE' },
    record: pulse.record,
    async playMusic() {
      const file = join(folder, 'music.mp3')
      await writeMusic(file)
      sonos.playMusic(file)
    },
    state: async () => sonos.device.lasting,
    kill: sonos.kill,
    start: sonos.start,
    async close() {
      await sonos.close()
      await server.close()
      await pulse.stop()
      await rm(folder, { recursive: true })
    },
  }
}

const createCase: CreateDriverCase = createDeviceCase

export default createCase
