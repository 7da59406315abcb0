import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import texts from '../../../locales/en-US/address.json' with { type: 'json' }
import type { CreateDriverCase } from '../../test-suites/driver-test-case.ts'
import { createAnotherNodeDriver } from './another-node.ts'

const RED = {
  _: () => texts.address.error['not-fetched'].replace('__hint__', texts.address.warning.none),
}

/** The other node starts a player for each address. */
const createCase: CreateDriverCase = async () => {
  const pulse = await startPulse()
  const server = await serveSounds()
  const driver = createAnotherNodeDriver({ RED, sounds: server.sounds, config: {} })
  let player: ChildProcess | undefined
  return {
    driver,
    record: pulse.record,
    handOut({ payload, stop }) {
      if (stop) player?.kill()
      else {
        const args = ['--quiet', '-o', 'pulse', String(payload)]
        player = spawn('mpg123', args, { env: pulse.environment, stdio: 'ignore' })
      }
    },
    broken: {
      driver: createAnotherNodeDriver({
        RED,
        sounds: server.sounds,
        config: {},
        fetchLimitMs: 300,
      }),
      code: 'NOT_FETCHED',
    },
    async close() {
      if (player?.exitCode === null && player.signalCode === null) await once(player, 'exit')
      await server.close()
      await pulse.stop()
    },
  }
}

export default createCase
