import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMusic } from '@parlando/test-support/audio/encode'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startCastDevice } from '@parlando/test-support/players/stand-ins/cast/cast'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type {
  CreateDriverCase,
  DeviceCase,
  DriverCase,
} from '../../test-suites/driver-test-case.ts'
import { createCastDriver } from './cast.ts'

export const programs: readonly Program[] = ['mpg123']

export async function createDeviceCase(): Promise<DriverCase & DeviceCase> {
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const folder = await mkdtemp(join(tmpdir(), 'cast-'))
  const cast = await startCastDevice(pulse.environment)
  const driverOf = (address: string, responseMs?: number) =>
    createCastDriver({ RED: speakerTexts.en, sounds, config: { cast: address }, responseMs })
  return {
    driver: driverOf(cast.address),
    at: (address, limitMs) => driverOf(address, limitMs),
    broken: { driver: driverOf('127.0.0.1:2'), code: 'SPEAKER_NOT_REACHABLE' },
    record: pulse.record,
    async playMusic() {
      const file = join(folder, 'music.mp3')
      await writeMusic(file)
      await cast.playMusic(file)
    },
    state: async () => cast.device.lasting,
    kill: cast.kill,
    start: cast.start,
    async close() {
      await cast.close()
      await server.close()
      await pulse.stop()
      await rm(folder, { recursive: true })
    },
  }
}

const createCase: CreateDriverCase = createDeviceCase

export default createCase
