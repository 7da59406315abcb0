import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  sayTones,
  writeTinyTransducer,
} from '@parlando/test-support/local-service/models/tiny-recogniser-model'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import type { WakeWordCase } from '../../part-registry/part-test-case.ts'

const phrase = 'turn off the kitchen light'
/** The phrase, with half a second of silence at the end. */
const tones = sayTones(phrase).subarray(0, -4000)
/** The model decodes blocks of 320 ms. With a pause of 1.5 s, repetitions then end at the same place of a block. */
const samples = new Int16Array(tones.length + 4160)
samples.set(tones, 4160)

const startCase: WakeWordCase = async () => {
  const sherpaModels = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  await writeTinyTransducer(join(sherpaModels, 'kws-zipformer-en'), 'streaming')
  return {
    options: { sherpaModels },
    dataFolder: optionalEnginesFolder,
    spoken: { phrase, samples },
    close: () => rm(sherpaModels, { recursive: true }),
  }
}

export default startCase
