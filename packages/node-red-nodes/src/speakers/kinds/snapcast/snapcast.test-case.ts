import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { snapcastBufferMs, startSnapcast } from '@parlando/test-support/players/programs/snapcast'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import type { CreateDriverCase, DeviceCase } from '../../test-suites/driver-test-case.ts'
import { createSnapcastDriver } from './snapcast.ts'

export const programs: readonly Program[] = ['snapserver', 'snapclient']

const RED = speakerTexts.en
const driverOf = (snapcast: string, responseMs?: number) =>
  createSnapcastDriver({
    RED,
    config: { snapcast, snapcastBuffer: String(snapcastBufferMs) },
    ...(responseMs && { responseMs }),
  })

async function startServer() {
  const pulse = await startPulse()
  const snapcast = await startSnapcast({ ...pulse, sinks: ['speaker'] })
  const close = async () => {
    await snapcast.close()
    await pulse.stop()
  }
  return { pulse, snapcast, close }
}

const createCase: CreateDriverCase = async () => {
  const { pulse, snapcast, close } = await startServer()
  return {
    driver: driverOf(snapcast.address),
    record: pulse.record,
    broken: { driver: driverOf('127.0.0.1:2'), code: 'SPEAKER_NOT_REACHABLE' },
    close,
  }
}

export default createCase

export async function createDeviceCase(): Promise<DeviceCase> {
  const { pulse, snapcast, close } = await startServer()
  return {
    driver: driverOf(snapcast.address),
    at: (address, limitMs) => driverOf(address, limitMs),
    record: pulse.record,
    playMusic: () => snapcast.playMusic(300),
    async state() {
      return (await snapcast.groups()).map(({ stream_id, muted, clients }) => [
        stream_id,
        muted,
        clients.map(({ config }) => config),
      ])
    },
    kill: () => snapcast.kill(),
    start: () => snapcast.start(),
    close,
  }
}
