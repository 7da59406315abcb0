import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionalEngines } from '@parlando/test-support/local-service'
import { writeTinyModel } from '@parlando/test-support/tiny-tts-model'
import type { EngineCase } from '../engine-case.ts'

const words = 'good morning the coffee is ready door open something else and one more still here'

const startCase: EngineCase = async () => {
  const sherpaModels = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  await writeTinyModel(join(sherpaModels, 'tiny'), words.split(' '))
  return {
    options: { sherpaModels },
    dataFolder: optionalEngines,
    close: () => rm(sherpaModels, { recursive: true }),
  }
}

export default startCase
