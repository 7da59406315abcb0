import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  sayTones,
  writeTinyRecogniser,
} from '@parlando/test-support/local-service/models/tiny-recogniser-model'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import type { RecogniserCase } from '../../part-registry/part-test-case.ts'

const startCase: RecogniserCase = async () => {
  const sherpaModels = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  await writeTinyRecogniser(join(sherpaModels, 'streaming-zipformer-ctc-en'), 'streaming')
  return {
    options: { sherpaModels },
    dataFolder: optionalEnginesFolder,
    utterance: { samples: sayTones('turn off the light'), text: /^turn off the light$/ },
    close: () => rm(sherpaModels, { recursive: true }),
  }
}

export default startCase
