import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTinyModel } from '@parlando/test-support/local-service/models/tiny-tts-model'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import type { EngineCase } from '../../part-registry/part-test-case.ts'

const words = 'good morning the coffee is ready door open something else and one more still here'

const startCase: EngineCase = async () => {
  const sherpaModels = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  await writeTinyModel(join(sherpaModels, 'tiny'), words.split(' '))
  return {
    options: { sherpaModels },
    dataFolder: optionalEnginesFolder,
    close: () => rm(sherpaModels, { recursive: true }),
  }
}

export default startCase
