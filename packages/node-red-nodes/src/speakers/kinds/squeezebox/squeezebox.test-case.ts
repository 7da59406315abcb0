import { setTimeout as delay } from 'node:timers/promises'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startSqueezelite } from '@parlando/test-support/players/programs/squeezelite'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import type { CreateDriverCase, DeviceCase } from '../../test-suites/driver-test-case.ts'
import { SharedServers } from './shared-servers.ts'
import { createSqueezeboxDriver } from './squeezebox.ts'

export const programs: readonly Program[] = ['squeezelite']

const RED = speakerTexts.en

async function startPlayer() {
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const servers = new SharedServers('127.0.0.1')
  const port = await freePort()
  const driverOf = (squeezebox: string) =>
    createSqueezeboxDriver({ RED, servers, sounds, config: { squeezebox, squeezeboxPort: port } })
  const driver = driverOf('Kitchen')
  const player = startSqueezelite({ ...pulse, port, name: 'Kitchen' })
  const close = async () => {
    await player.kill()
    await server.close()
    await pulse.stop()
  }
  return { pulse, servers, port, driver, driverOf, player, close }
}

const createCase: CreateDriverCase = async () => {
  const { pulse, driver, driverOf, close } = await startPlayer()
  return {
    driver,
    record: pulse.record,
    broken: { driver: driverOf('Cellar'), code: 'SPEAKER_NOT_REACHABLE' },
    close,
  }
}

export default createCase

export async function createDeviceCase(): Promise<DeviceCase> {
  const { pulse, servers, port, driver, player, close } = await startPlayer()
  return {
    driver,
    record: pulse.record,
    kill: player.kill,
    async start() {
      player.start()
      while ((await servers.get(port)).players.length === 0) await delay(50)
    },
    close,
  }
}
