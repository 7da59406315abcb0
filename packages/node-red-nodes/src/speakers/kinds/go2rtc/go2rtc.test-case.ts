import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import type { Go2rtc } from '@parlando/test-support/players/programs/go2rtc'
import { startGo2rtcStandIn } from '@parlando/test-support/players/stand-ins/go2rtc'
import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type {
  CreateDriverCase,
  DeviceCase,
  DriverCase,
} from '../../test-suites/driver-test-case.ts'
import { createGo2rtcDriver } from './go2rtc.ts'

export const programs = ['ffmpeg'] as const

/** A camera of go2rtc that speaks, and one that cannot. */
export async function createCaseOf(
  start: (environment: Pulse['environment']) => Promise<Go2rtc>,
): Promise<DriverCase & DeviceCase> {
  const pulse = await startPulse()
  const server = await serveSounds()
  const go2rtc = await start(pulse.environment)
  const create = (more: object = {}, responseMs?: number) =>
    createGo2rtcDriver({
      RED: speakerTexts.en,
      sounds: server.sounds,
      config: {
        go2rtc: go2rtc.address,
        go2rtcUser: go2rtc.user,
        go2rtcPassword: go2rtc.password,
        go2rtcStream: 'door',
        ...more,
      },
      ...(responseMs && { responseMs }),
    })
  return {
    driver: create(),
    at: (address, limitMs) => create({ go2rtc: `http://${address}` }, limitMs),
    wrongSecret: {
      driver: create({ go2rtcPassword: keys.wrong }),
      message: /rejects the user name and the password/,
    },
    record: pulse.record,
    kill: go2rtc.kill,
    start: go2rtc.start,
    broken: { driver: create({ go2rtcStream: 'mute' }), code: 'SPEAKER_REFUSED' },
    async close() {
      await go2rtc.close()
      await server.close()
      await pulse.stop()
    },
  }
}

export const createDeviceCase = () => createCaseOf(startGo2rtcStandIn)

const createCase: CreateDriverCase = createDeviceCase

export default createCase
