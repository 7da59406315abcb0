import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { expect, it } from 'vitest'
import { fromInt16 } from '../../packages/local-service/src/audio/pcm.ts'
import { completeness } from '../../packages/local-service/src/listening/turns/smart-turn/completeness.ts'
import {
  defaultTurnRule,
  realtimeTurnRule,
} from '../../packages/local-service/src/listening/turns/turn-rule.ts'
import { readWeights } from '../../packages/local-service/src/neural-networks/weights.ts'
import { countInterruptions } from './interruptions.ts'
import { printsFigures } from './noisy-scene.ts'
import { readRecordings, recordingPrograms } from './recordings.ts'

const weights = fileURLToPath(
  new URL('../../packages/voices/smart-turn/weights.safetensors', import.meta.url),
)
/** That of the quickest choice in the forms. */
const quickSilenceMs = 300

const options = { timeout: 600_000, ...needs(...recordingPrograms) }

const median = (values: readonly number[]) =>
  [...values].sort((first, second) => first - second)[values.length >> 1]!

it(
  'an end-of-turn model interrupts half as many speakers as a short pause, and ends turns sooner than the default',
  options,
  async () => {
    const recordings = readRecordings(1)
    const network = readWeights(readFileSync(weights))
    // In this process, so that the result does not depend on the speed of the machine.
    const endOfTurnModel = {
      async prepare() {},
      isComplete: async (samples: Int16Array) => completeness(fromInt16(samples), network) > 0.5,
      async close() {},
    }
    const quick = await countInterruptions(recordings, {
      ...defaultTurnRule,
      silenceMs: quickSilenceMs,
    })
    const normal = await countInterruptions(recordings, defaultTurnRule)
    const rule = realtimeTurnRule({ type: 'semantic_vad' })
    const understanding = await countInterruptions(recordings, rule, { endOfTurnModel })
    if (printsFigures) console.log({ quick, normal, understanding })
    expect(understanding.interrupted).toBeLessThanOrEqual(quick.interrupted / 2)
    expect(understanding.interrupted).toBeLessThan(normal.interrupted)
    const soonerMs = median(normal.endDelaysMs) - median(understanding.endDelaysMs)
    expect(soonerMs).toBeGreaterThanOrEqual(150)
  },
)
