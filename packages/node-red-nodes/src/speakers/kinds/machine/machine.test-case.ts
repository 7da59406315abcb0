import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import type { CreateDriverCase } from '../../test-suites/driver-test-case.ts'
import { createMachineDriver } from './machine.ts'

const RED = speakerTexts.en

const createCase: CreateDriverCase = async () => {
  const pulse = await startPulse()
  const empty = await mkdtemp(join(tmpdir(), 'no-players-'))
  return {
    driver: createMachineDriver({ RED, environment: pulse.environment }),
    record: pulse.record,
    broken: {
      driver: createMachineDriver({ RED, environment: { PATH: empty } }),
      code: 'NO_PLAYER',
    },
    async close() {
      await pulse.stop()
      await rm(empty, { recursive: true })
    },
  }
}

export default createCase
