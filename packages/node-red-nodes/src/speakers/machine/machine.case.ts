import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPulse } from '@parlando/test-support/audio/pulse'
import type { CreateDriverCase } from '../driver-case.ts'
import { createMachineDriver } from './machine.ts'

const createCase: CreateDriverCase = async () => {
  const pulse = await startPulse()
  const empty = await mkdtemp(join(tmpdir(), 'no-players-'))
  return {
    driver: createMachineDriver({ environment: pulse.environment }),
    record: pulse.record,
    broken: { driver: createMachineDriver({ environment: { PATH: empty } }), code: 'NO_PLAYER' },
    async close() {
      await pulse.stop()
      await rm(empty, { recursive: true })
    },
  }
}

export default createCase
