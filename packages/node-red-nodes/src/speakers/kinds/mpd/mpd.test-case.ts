import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startMpd } from '@parlando/test-support/players/programs/mpd'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type { CreateDriverCase, DeviceCase } from '../../test-suites/driver-test-case.ts'
import { createMpdDriver } from './mpd.ts'

export const programs: readonly Program[] = ['mpd', 'mpc']

const RED = speakerTexts.en
const password = keys.service

const createCase: CreateDriverCase = async () => {
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const mpd = await startMpd(pulse)
  return {
    driver: createMpdDriver({ RED, sounds, config: { mpd: mpd.address } }),
    record: pulse.record,
    broken: {
      driver: createMpdDriver({ RED, sounds, config: { mpd: '127.0.0.1:2' } }),
      code: 'SPEAKER_NOT_REACHABLE',
    },
    async close() {
      await mpd.close()
      await server.close()
      await pulse.stop()
    },
  }
}

export default createCase

export async function createDeviceCase(): Promise<DeviceCase> {
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const mpd = await startMpd({ ...pulse, password })
  const driverOf = (config: object, responseMs?: number) =>
    createMpdDriver({ RED, sounds, config: { ...config }, ...(responseMs && { responseMs }) })
  return {
    driver: driverOf({ mpd: mpd.address, mpdPassword: password }),
    at: (address, limitMs) => driverOf({ mpd: address }, limitMs),
    wrongSecret: {
      driver: driverOf({ mpd: mpd.address, mpdPassword: 'wrong' }),
      message: /rejects the password/,
    },
    record: pulse.record,
    async playMusic() {
      await mpd.mpc('clear')
      for (const mode of ['random', 'repeat', 'consume']) await mpd.mpc(mode, 'on')
      await mpd.mpc('volume', '80')
      await mpd.playMusic(300)
    },
    async state() {
      const [song = '', playing = '', modes] = (await mpd.mpc('status')).split('\n')
      return [song, playing.split(/\s+/)[0], modes, await mpd.mpc('playlist')]
    },
    kill: mpd.kill,
    start: mpd.start,
    async close() {
      await mpd.close()
      await server.close()
      await pulse.stop()
    },
  }
}
